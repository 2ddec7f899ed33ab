<?php

declare(strict_types=1);

namespace Sanad\Internal;

use Sanad\SanadError;

/**
 * Lists of the API: the query string for a filter, and an iterator over all pages.
 *
 * @internal
 */
final class Pages
{
    /** How many ids are remembered at most. */
    private const MOST_REMEMBERED = 100_000;
    /**
     * A row gets its time when the service begins to write it, and can be read when that is done: a little later, when it had to wait
     * for a lock. So it can appear before rows that were read already, and each request in ascending order begins this much earlier
     * than the last row. Lock waits of the service end after 10 s at most.
     */
    private const LATENESS_US = 10_000_000;
    private const SORTABLE = ['created_at', 'verified_at', 'payable_amount', 'amount', 'status'];

    /** @param array<mixed> $filter */
    public static function queryOf(array $filter): string
    {
        $query = self::fields($filter);
        return $query === [] ? '' : '?' . http_build_query($query, '', '&', PHP_QUERY_RFC3986);
    }

    /**
     * @param array<mixed> $filter
     * @return array<string, string>
     */
    private static function fields(array $filter): array
    {
        $query = [];
        foreach ($filter as $name => $value) {
            if ($value !== null) {
                $query[(string) $name] = self::text($value);
            }
        }
        return $query;
    }

    private static function text(mixed $value): string
    {
        return match (true) {
            $value instanceof \DateTimeInterface =>
                \DateTimeImmutable::createFromInterface($value)
                    ->setTimezone(new \DateTimeZone('UTC'))
                    ->format('Y-m-d\TH:i:s.u\Z'),
            is_array($value) => implode(',', array_map(self::text(...), $value)),
            is_bool($value) => $value ? 'true' : 'false',
            is_scalar($value) => (string) $value,
            default => throw new \InvalidArgumentException('A filter must be a text, a number, a time or a list of them.'),
        };
    }

    /**
     * Everything that the filter finds, page after page.
     *
     * In the order of creation each request begins at the time of the last row, not at a page number. So a row that could be read when
     * the list began, and that stays in the filter, is returned, and none is returned twice, whatever is added or changed meanwhile.
     * In any other order rows are requested by page number, and a row that moves between pages is returned once; one that moves to an
     * earlier page can be missed.
     *
     * @param string $path Such as `/api/v1/merchant/intents/`.
     * @param array<mixed> $filter
     * @param bool $byTime The list has filters of time.
     * @return \Generator<int, array<mixed>>
     */
    public static function every(Caller $caller, string $path, array $filter, bool $byTime): \Generator
    {
        $bound = $byTime ? self::timeBound($filter['ordering'] ?? null) : null;
        $query = self::fields($filter);
        // The bound that the caller set: rows beyond it are not wanted.
        $ownBound = $bound === null ? null : $query[$bound] ?? null;
        // Whether a row can leave the filter while the list is read.
        $canLeave = array_intersect_key($query, ['status' => 1, 'reference' => 1, 'search' => 1]) !== [];
        /** @var array<string, array{at: int, pass: int}> $returned The ids that can come again, and the pass that read them last. */
        $returned = [];
        /** @var array{first: int, last: int, text: string}|null $reached The first row, and the one that is furthest in the order. */
        $reached = null;
        // The requests of one pass have the same bound, and pages that follow each other.
        $pass = 1;
        for ($isFirst = true; ; $isFirst = false) {
            try {
                $page = $caller->call('GET', $path . self::queryOf($query))->body;
            } catch (SanadError $fault) {
                // There are fewer rows than before: the last page no longer exists.
                if (!$isFirst && $fault->status === 404) {
                    return;
                }
                throw $fault;
            }
            $earlier = $reached['last'] ?? null;
            $hasMoved = false;
            foreach ($page['results'] as $row) {
                $at = self::microseconds($row['created_at']);
                $known = $returned[$row['id']] ?? null;
                $returned[$row['id']] = ['at' => $at, 'pass' => $pass];
                $hasMoved = $hasMoved || ($known !== null && $known['pass'] === $pass);
                if ($known !== null) {
                    continue;
                }
                if ($reached === null) {
                    $reached = ['first' => $at, 'last' => $at, 'text' => $row['created_at']];
                } elseif ($bound === 'created_after' ? $at > $reached['last'] : $at < $reached['last']) {
                    // A row that appears late does not lead back.
                    $reached = ['first' => $reached['first'], 'last' => $at, 'text' => $row['created_at']];
                }
                yield $row;
            }
            $hasAdvanced = ($reached['last'] ?? null) !== $earlier;
            $next = $bound === null ? [] : array_values(array_filter(
                self::boundsAfter($bound, $reached, $ownBound, $hasAdvanced, $canLeave),
                static fn (?string $one): bool => $one !== ($query[$bound] ?? null),
            ));
            if ($bound !== null && $hasMoved) {
                // A row of an earlier page has moved to this one: another has appeared before it.
                unset($query['page']);
                $pass++;
            } elseif ($page['next'] === null) {
                return;
            } elseif ($bound !== null && $next !== []) {
                if ($next[0] === null) {
                    unset($query[$bound]);
                } else {
                    $query[$bound] = $next[0];
                }
                unset($query['page']);
                $pass++;
            } else {
                // More rows of one bound than a page has, or another order.
                parse_str((string) parse_url($page['next'], PHP_URL_QUERY), $found);
                $query['page'] = is_string($found['page'] ?? null) ? $found['page'] : '1';
            }
            $from = $bound === null ? null : $query[$bound] ?? null;
            if ($from !== null && $from !== $ownBound && $reached !== null) {
                $returned = self::withoutPast($returned, $reached, (string) $bound, self::microseconds($from));
            }
            if (count($returned) > self::MOST_REMEMBERED) {
                $returned = array_slice($returned, -intdiv(self::MOST_REMEMBERED, 2), null, true);
            }
        }
    }

    /**
     * The bounds with which the list can continue, the best first. Rows that leave the filter move others to an earlier page: where
     * that can be, pages are not counted, but the list goes on exactly at the last row. Of the last 10 s only the first page is read
     * again then.
     *
     * @param array{first: int, last: int, text: string}|null $reached
     * @return list<string|null>
     */
    private static function boundsAfter(
        string $bound,
        ?array $reached,
        ?string $ownBound,
        bool $hasAdvanced,
        bool $canLeave,
    ): array {
        if ($reached === null) {
            return [];
        }
        if ($bound === 'created_before') {
            return [$reached['text']];
        }
        $from = $reached['last'] - self::LATENESS_US;
        $earlier = $from <= $reached['first'] ? $ownBound : self::timeText($from);
        return [...($hasAdvanced ? [$earlier] : []), ...($canLeave ? [$reached['text']] : [])];
    }

    /**
     * Without the ids that no later request returns: those before every later bound.
     *
     * @param array<string, array{at: int, pass: int}> $returned
     * @param array{first: int, last: int, text: string} $reached
     * @return array<string, array{at: int, pass: int}>
     */
    private static function withoutPast(array $returned, array $reached, string $bound, int $from): array
    {
        ['first' => $first, 'last' => $last] = $reached;
        $earliest = min($from, $last - self::LATENESS_US);
        return array_filter(
            $returned,
            static fn (array $row): bool => $bound === 'created_after'
                ? $last - self::LATENESS_US <= $first || $row['at'] >= $earliest
                : $row['at'] <= $last,
        );
    }

    /** The time as microseconds since 1970. */
    private static function microseconds(string $time): int
    {
        return (int) (new \DateTimeImmutable($time))->format('Uu');
    }

    private static function timeText(int $microseconds): string
    {
        $time = gmdate('Y-m-d\TH:i:s', intdiv($microseconds, 1_000_000));
        return sprintf('%s.%06dZ', $time, $microseconds % 1_000_000);
    }

    /**
     * The filter that continues a list in the order of creation; null in another order. As in the service, names that it does not
     * know are ignored.
     */
    private static function timeBound(mixed $ordering): ?string
    {
        $text = is_array($ordering) ? implode(',', $ordering) : (is_string($ordering) ? $ordering : '');
        foreach (array_map('trim', explode(',', $text)) as $name) {
            if (in_array(ltrim($name, '-'), self::SORTABLE, true)) {
                return match ($name) {
                    '-created_at' => 'created_before',
                    'created_at' => 'created_after',
                    default => null,
                };
            }
        }
        return 'created_before';
    }
}
