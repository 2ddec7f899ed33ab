import { bool, instant, nullable, text, whole } from '../../postgres/query/columns.ts'
import { agentHeartbeat_s, longestHeartbeat_s } from './silence.ts'

/** What silence.ts needs of a phone `d` and its `phone_rhythms` row `r` (a left join by device_id). */
export const signsColumns = {
  paired: bool(),
  forwards: bool(),
  paired_at: nullable(instant()),
  heartbeat_at: nullable(instant()),
  heartbeat_s: nullable(whole()),
  last_seen_at: nullable(instant()),
  rhythm_heard_at: nullable(instant()),
  rhythm_usual_at: nullable(instant()),
  rhythm_alarm_at: nullable(instant()),
  rhythm_unjudged: nullable(text<'' | 'learning' | 'too_few'>()),
}

/** `d` and `r`: the aliases. Index: primary key of phone_rhythms. */
export const signsFields = (d = 'd', r = 'r'): string => `
         ${d}.secret_sealed is not null as paired, ${d}.ingest_token_hash is not null as forwards, ${d}.paired_at,
         ${d}.heartbeat_at, ${d}.heartbeat_s, ${d}.last_seen_at, ${r}.heard_at as rhythm_heard_at,
         ${r}.usual_at as rhythm_usual_at, ${r}.alarm_at as rhythm_alarm_at, ${r}.unjudged as rhythm_unjudged`

const millis = (column: string): string => `floor(extract(epoch from ${column}) * 1000)`

/** The same as one JSON list (`SignsList`), for phones inside of another row. */
export const signsJson = (d: string, r: string): string => `
         json_build_array(
           ${d}.secret_sealed is not null, ${d}.ingest_token_hash is not null, ${millis(`${d}.paired_at`)},
           ${millis(`${d}.heartbeat_at`)}, ${d}.heartbeat_s, ${millis(`${d}.last_seen_at`)}, ${r}.unjudged,
           ${millis(`${r}.heard_at`)}, ${millis(`${r}.usual_at`)}, ${millis(`${r}.alarm_at`)})`

/** `isSilent` of silence.ts in SQL, for counts over many phones. A test compares the two. `now`: the parameter. */
export const isSilentSql = (d: string, r: string, now: string): string => `
  coalesce(case
    when ${d}.last_seen_at is null then true
    when ${d}.secret_sealed is not null and ${d}.ingest_token_hash is null
      then ${now} > ${d}.last_seen_at + make_interval(secs => 3 * ${agentHeartbeat_s})
    when ${d}.heartbeat_at >= coalesce(${d}.paired_at, ${d}.heartbeat_at) and ${d}.heartbeat_s <= ${longestHeartbeat_s}
      then ${now} > ${d}.last_seen_at + make_interval(secs => 3 * ${d}.heartbeat_s)
    when ${d}.ingest_token_hash is not null and ${r}.unjudged = ''
      then ${now} > ${d}.last_seen_at + (${r}.alarm_at - ${r}.heard_at)
    end, false)`
