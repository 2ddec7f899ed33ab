/** The health of a phone: what it reports about itself, how far its set-up is, and how its silence is judged. */
import { Type } from 'typebox'
import { setupApps } from '../../kinds.ts'
import { oneOf, timestamp, timestampOrNull } from '../../scalars.ts'
import { closed, orNull } from '../../schema.ts'

const textOrNull = (description: string) => orNull(Type.String(), description)
const numberOrNull = (description: string) => orNull(Type.Number(), description)

export const PhoneHealth = closed('What the phone last reported about itself; null: not reported.', {
  battery: numberOrNull('Per cent.'),
  charging: orNull(Type.Boolean()),
  network: textOrNull('As the phone calls it.'),
  signal: numberOrNull('As the phone counts it.'),
  app: textOrNull('The app that reports.'),
  app_version: textOrNull('Its version.'),
  model: textOrNull('The phone’s model.'),
  os_version: textOrNull('The phone’s system.'),
  queue_depth: numberOrNull('Alerts that the phone has yet to send.'),
  oldest_unsent_at: timestampOrNull('Since when the oldest of them waits.'),
  clock_off_s: numberOrNull('How far the phone’s clock is off, in seconds.'),
  problems: Type.Array(Type.String(), {
    description: 'Codes of what does not work on the phone, as its app reports them, such as `sms_refused`.',
  }),
  sims: Type.Array(closed({ slot: Type.String(), carrier: Type.String(), iccid_tail: Type.String() })),
})

export const PhoneSetup = closed('How far the set-up is on the page that is open on the phone (`/pair`).', {
  opened_at: timestamp('When the page was opened on the phone.'),
  app: oneOf(['', ...setupApps], 'The app that was chosen there; `""`: none yet.'),
  app_at: timestampOrNull('When it was chosen.'),
  contact_at: timestampOrNull('The last contact since the page was opened; null: none yet.'),
  message_at: timestampOrNull('When a message last came since then; null: none yet.'),
})

const seconds = (description: string) => orNull(Type.Integer({ minimum: 0 }), description)

export const PhoneSilence = closed('How it is judged whether the phone is silent.', {
  judged_by: oneOf(
    ['heartbeat', 'messages', 'nothing'],
    '`heartbeat`: its app sends a heartbeat at regular times. `messages`: its app sends none; the usual messages of the ' +
      'phone are the measure. `nothing`: silence cannot be detected (yet); `reason` says why.',
  ),
  reason: oneOf(
    ['', 'never', 'learning', 'too_few', 'no_app'],
    'Why it is not judged. `never`: the phone has never reported. `learning`: less than four weeks are known. `too_few`: ' +
      'too few messages to tell. `no_app`: no app on it reports.',
  ),
  heartbeat_s: seconds('Seconds between two heartbeats.'),
  usual_s: seconds('The longest silence that is usual, at the time of its last sign of life.'),
  alarm_after_s: seconds('After this many seconds without a sign of life it counts as silent.'),
  alarm_at: timestampOrNull('From then on it counts as silent, if there is no sign of life before.'),
})
