/** The health of a phone: what it reports about itself, how far its set-up is, and how its silence is judged. */
import { type Static, Type } from 'typebox'
import { setupApps } from '../../kinds.ts'
import { oneOf, timestamp } from '../../scalars.ts'

const sent = (description: string) => Type.Union([Type.String(), Type.Null()], { description })
const number = (description: string) => Type.Union([Type.Number(), Type.Null()], { description })
const when = (description: string) => Type.Union([timestamp(description), Type.Null()])

export const PhoneHealth = Type.Object(
  {
    battery: number('Per cent.'),
    charging: Type.Union([Type.Boolean(), Type.Null()]),
    network: sent('As the phone calls it.'),
    signal: number('As the phone counts it.'),
    app: sent('The app that reports.'),
    app_version: sent('Its version.'),
    model: sent('The phone’s model.'),
    os_version: sent('The phone’s system.'),
    queue_depth: number('Alerts that the phone has yet to send.'),
    oldest_unsent_at: when('Since when the oldest of them waits.'),
    clock_off_s: number('How far the phone’s clock is off, in seconds.'),
    problems: Type.Array(Type.String(), {
      description: 'Codes of what does not work on the phone, as its app reports them, such as `sms_refused`.',
    }),
    sims: Type.Array(
      Type.Object(
        { slot: Type.String(), carrier: Type.String(), iccid_tail: Type.String() },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false, description: 'What the phone said of itself last; null: nothing.' },
)

export const PhoneSetup = Type.Object(
  {
    opened_at: timestamp('When the page was opened on the phone.'),
    app: oneOf(['', ...setupApps], 'The app that was chosen there; `""`: none yet.'),
    app_at: when('When it was chosen.'),
    contact_at: when('The last contact since the page was opened; null: none yet.'),
    message_at: when('When a message last came since then; null: none yet.'),
  },
  { additionalProperties: false, description: 'The set-up of a phone, as the page on the phone (`/pair`) goes on.' },
)

const seconds = (description: string) => Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], { description })

export const PhoneSilence = Type.Object(
  {
    judged_by: oneOf(
      ['heartbeat', 'messages', 'nothing'],
      '`heartbeat`: its app sends a sign of life at regular times. `messages`: it sends none; the phone’s own usual ' +
        'messages tell. `nothing`: its silence says nothing, or not yet; `reason` says why.',
    ),
    reason: oneOf(
      ['', 'never', 'learning', 'too_few', 'no_app'],
      'Why it is not judged. `never`: nothing was heard of it yet. `learning`: less than four weeks are known. `too_few`: ' +
        'too few messages to tell. `no_app`: no app on it reports.',
    ),
    heartbeat_s: seconds('Seconds between two heartbeats.'),
    usual_s: seconds('So long at most it is usually silent, at the time of its last sign of life.'),
    alarm_after_s: seconds('After so many seconds without a sign of life it counts as silent.'),
    alarm_at: when('From then on it counts as silent, if nothing is heard of it.'),
  },
  { additionalProperties: false, description: 'How it is judged whether the phone is silent.' },
)
export type PhoneSilence = Static<typeof PhoneSilence>
