<?php

declare(strict_types=1);

namespace Sanad;

use Sanad\Internal\Arguments;
use Sanad\Internal\Caller;
use Sanad\Internal\Pages;
use Sanad\Internal\Settings;

/**
 * `$sanad->intents`: create, retrieve, attach the reference, list and wait. Amounts are texts all the way.
 *
 * @phpstan-import-type CreateIntent from Api
 * @phpstan-import-type Intent from Api
 * @phpstan-import-type IntentPage from Api
 * @phpstan-import-type IntentStatus from Api
 * @phpstan-import-type ListIntentsQuery from Api
 */
final class Intents
{
    private const LIST = Settings::MERCHANT . '/intents/';
    private const FIRST_POLL_S = 2.0;
    private const SLOWEST_POLL_S = 15.0;

    /** @internal */
    public function __construct(private readonly Caller $caller)
    {
    }

    /**
     * A repeated key gives the intent as it is now.
     *
     * @param CreateIntent $body Amounts are strings: a number throws.
     * @param string|null $idempotencyKey One for each attempt at an order, stored before the call: 1 to 128 characters, kept by the
     *   service for 24 hours. Left out, the SDK makes one, which protects its own retries only.
     * @return Intent
     * @throws SanadException
     */
    public function create(array $body, ?string $idempotencyKey = null): array
    {
        Arguments::requireTextAmounts($body, ['amount']);
        $key = $idempotencyKey ?? Arguments::newKey();
        $advice = Arguments::adviceOf('intent', $key);
        $answer = $this->caller->call('POST', self::LIST, $body, Arguments::keyHeader($key), true, $advice);
        /** @var Intent $intent */
        $intent = $answer->body;
        // A replay is the stored answer: meanwhile the intent may be paid or expired.
        return $answer->isReplay ? $this->retrieve($intent['id']) : $intent;
    }

    /**
     * @return Intent
     * @throws SanadException
     */
    public function retrieve(string $id): array
    {
        /** @var Intent */
        return $this->caller->call('GET', self::pathTo($id))->body;
    }

    /**
     * Safe to repeat: an intent that this very reference has already resolved is returned.
     *
     * @return Intent
     * @throws SanadException
     */
    public function attachReference(string $id, string $reference): array
    {
        try {
            /** @var Intent */
            return $this->caller->call('PATCH', self::pathTo($id), ['reference' => $reference])->body;
        } catch (SanadError $fault) {
            if (!$fault->has(ErrorCode::INTENT_NOT_PENDING)) {
                throw $fault;
            }
            // The answer of an earlier attempt may have been lost after it verified the intent.
            $intent = $this->retrieve($id);
            $isResolved = $intent['status'] === 'VERIFIED' || $intent['status'] === 'WRONG_AMOUNT';
            if ($isResolved && $intent['reference'] === trim($reference)) {
                return $intent;
            }
            throw $fault;
        }
    }

    /**
     * Every intent that the filter finds. In the order of creation each that can be read when the list begins, and that stays in the
     * filter, comes once, whatever is added meanwhile. A filter of several values takes a text or a list, a time also a DateTime.
     *
     * @param ListIntentsQuery $filter
     * @return \Generator<int, Intent>
     * @throws SanadException
     */
    public function list(array $filter = []): \Generator
    {
        /** @var \Generator<int, Intent> */
        return Pages::every($this->caller, self::LIST, $filter, true);
    }

    /**
     * One page, with the count of all.
     *
     * @param ListIntentsQuery $filter
     * @return IntentPage
     * @throws SanadException
     */
    public function page(array $filter = []): array
    {
        /** @var IntentPage */
        return $this->caller->call('GET', self::LIST . Pages::queryOf($filter))->body;
    }

    /**
     * Reads the intent every 2 to 15 seconds until it has ended. For commands and jobs: a page must not keep a buyer waiting.
     *
     * @param IntentStatus|list<IntentStatus>|(callable(Intent): bool)|null $until Default: any final status, which always ends the wait.
     * @param float $timeout Seconds.
     * @return Intent
     * @throws SanadException SanadWaitError: the time is over.
     */
    public function wait(string $id, string|array|callable|null $until = null, float $timeout = 600.0): array
    {
        $statuses = is_string($until) ? [$until] : $until;
        $isReached = is_array($statuses)
            ? static fn (array $intent): bool => in_array($intent['status'], $statuses, true)
            : $statuses ?? static fn (array $intent): bool => false;
        $end = $this->caller->now() + $timeout;
        for ($pause = self::FIRST_POLL_S; ; $pause = min(self::SLOWEST_POLL_S, $pause * 1.5)) {
            $intent = $this->retrieve($id);
            if ($intent['status'] !== 'PENDING' || $isReached($intent)) {
                return $intent;
            }
            $remaining = $end - $this->caller->now();
            if ($remaining <= 0) {
                throw new SanadWaitError($intent, $timeout);
            }
            $this->caller->sleep(min($pause, $remaining));
        }
    }

    private static function pathTo(string $id): string
    {
        return Arguments::pathOf(self::LIST, $id, 'an intent');
    }
}
