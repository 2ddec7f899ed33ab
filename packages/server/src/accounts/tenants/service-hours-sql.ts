import type { Instant } from '../../core/clock.ts'
import { at, instant, nullable, whole } from '../../postgres/query/columns.ts'
import { noColumns, statement } from '../../postgres/query/statement.ts'

export type ServiceSample = {
  readonly lag_s: number
  readonly phones: number
  readonly silentPhones: number
}

/**
 * Stores what was just seen in the present hour: the largest values of an hour stay. Creates the hours since `first` that have no row,
 * so that their messages are counted. Several nodes may do this at once. Index: primary key.
 */
export const saveServiceSample = statement(
  'save_service_sample',
  noColumns,
  (first: Instant, hour: Instant, sample: ServiceSample) => [
    at(first),
    at(hour),
    sample.lag_s,
    sample.phones,
    sample.silentPhones,
  ],
  `
  with earlier as (
    insert into service_hours (hour, counted_until)
    select h, h from generate_series($1::timestamptz, $2::timestamptz - interval '1 hour', interval '1 hour') as h
    on conflict (hour) do nothing)
  insert into service_hours as s (hour, counted_until, lag_s, phones, silent_phones)
  values ($2::timestamptz, $2::timestamptz, $3::int, $4::int, $5::int)
  on conflict (hour) do update
     set lag_s = greatest(s.lag_s, excluded.lag_s), phones = greatest(s.phones, excluded.phones),
         silent_phones = greatest(s.silent_phones, excluded.silent_phones)`,
)

/** The oldest hour since `first` that is not counted to its end. Index: primary key; an hour is a row. */
export const nextHourToCount = statement(
  'next_hour_to_count',
  { hour: instant(), counted_until: instant() },
  (first: Instant) => [at(first)],
  `
  select hour, counted_until
    from service_hours
   where hour >= $1 and counted_until < hour + interval '1 hour'
   order by hour
   limit 1`,
)

export type CountedPart = {
  readonly hour: Instant
  readonly from: Instant
  readonly until: Instant
  readonly messages: number
  readonly payments: number
}

/** Adds what was counted in a part of an hour. Nothing, if another node has counted this part already. Index: primary key. */
export const addToServiceHour = statement(
  'add_to_service_hour',
  noColumns,
  ({ hour, from, until, messages, payments }: CountedPart) => [at(hour), at(from), at(until), messages, payments],
  `
  update service_hours
     set messages = messages + $4::bigint, payments = payments + $5::bigint, counted_until = $3
   where hour = $1 and counted_until = $2`,
)

/** The hours since `first`, the oldest first. Index: primary key; an hour is a row. */
export const listServiceHours = statement(
  'list_service_hours',
  {
    hour: instant(),
    counted_until: instant(),
    messages: whole(),
    payments: whole(),
    lag_s: nullable(whole()),
    phones: nullable(whole()),
    silent_phones: nullable(whole()),
  },
  (first: Instant) => [at(first)],
  `
  select hour, counted_until, messages, payments, lag_s, phones, silent_phones
    from service_hours
   where hour >= $1
   order by hour`,
)

/** Index: primary key. */
export const pruneServiceHours = statement(
  'prune_service_hours',
  noColumns,
  (before: Instant) => [at(before)],
  'delete from service_hours where hour < $1',
)
