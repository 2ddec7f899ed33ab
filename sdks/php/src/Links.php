<?php

declare(strict_types=1);

namespace Sanad;

use Sanad\Internal\Arguments;
use Sanad\Internal\Caller;
use Sanad\Internal\Pages;
use Sanad\Internal\Settings;

/**
 * `$sanad->links`: links to share. Each buyer who goes on to pay gets a checkout of their own.
 *
 * @phpstan-import-type ChangeLink from Api
 * @phpstan-import-type CreateLink from Api
 * @phpstan-import-type ListLinksQuery from Api
 * @phpstan-import-type PaymentLink from Api
 * @phpstan-import-type PaymentLinkPage from Api
 */
final class Links
{
    private const LIST = Settings::CHECKOUT . '/links/';
    private const ADVICE = 'The payment link may exist all the same: before you create it again, look for it with links->list(), '
        . "newest first. If it is there twice, switch one off with links->update(\$id, ['active' => false]).";

    /** @internal */
    public function __construct(private readonly Caller $caller)
    {
    }

    /**
     * Not sent again after a lost answer: the service keeps no key for links. The link may exist then: look for it with `list`, by a
     * mark of your own in `metadata`, before you create it again.
     *
     * @param CreateLink $body Amounts are strings: a number throws.
     * @return PaymentLink
     * @throws SanadException
     */
    public function create(array $body): array
    {
        Arguments::requireTextAmounts($body, ['amount', 'min_amount', 'max_amount']);
        /** @var PaymentLink */
        return $this->caller->call('POST', self::LIST, $body, [], false, self::ADVICE)->body;
    }

    /**
     * @return PaymentLink
     * @throws SanadException
     */
    public function retrieve(string $id): array
    {
        /** @var PaymentLink */
        return $this->caller->call('GET', self::pathTo($id))->body;
    }

    /**
     * Every link, newest first.
     *
     * @param ListLinksQuery $options
     * @return \Generator<int, PaymentLink>
     * @throws SanadException
     */
    public function list(array $options = []): \Generator
    {
        // An account has 1000 links at most: all ids are remembered.
        /** @var \Generator<int, PaymentLink> */
        return Pages::every($this->caller, self::LIST, $options, false);
    }

    /**
     * One page, with the count of all.
     *
     * @param ListLinksQuery $options
     * @return PaymentLinkPage
     * @throws SanadException
     */
    public function page(array $options = []): array
    {
        /** @var PaymentLinkPage */
        return $this->caller->call('GET', self::LIST . Pages::queryOf($options))->body;
    }

    /**
     * Switches a link off or on.
     *
     * @param ChangeLink $changes
     * @return PaymentLink
     * @throws SanadException
     */
    public function update(string $id, array $changes): array
    {
        /** @var PaymentLink */
        return $this->caller->call('PATCH', self::pathTo($id), $changes)->body;
    }

    private static function pathTo(string $id): string
    {
        return Arguments::pathOf(self::LIST, $id, 'a payment link');
    }
}
