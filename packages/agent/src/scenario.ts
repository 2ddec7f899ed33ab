/**
 * Plans what a phone sends: turns options into a list of messages in sending order, each with a note on what is unusual
 * about it. Pure: the same seed and ids give the same list.
 */
import { type PaymentFacts, restyle, type Style, type Wording, writeAlert } from './wordings.ts'

export type SimSlot = '' | 'SIM1' | 'SIM2'

export type Scenario = {
  /** The wallet's wording, or a text of the caller. */
  readonly content:
    | { readonly wording: Wording; readonly amount: bigint; readonly currency: string }
    | { readonly text: string }
  /** Null: each alert gets a plausible reference, if its wording contains one. */
  readonly reference: string | null
  readonly sender: string
  readonly simSlot: SimSlot
  /** The balance before the first payment. */
  readonly balance: bigint
  readonly payer: string
  readonly phone: string
  readonly style: Style
  readonly count: number
  /** How long ago the messages were sent. */
  readonly late_s: number
  /** How often each message is repeated. */
  readonly repeats: number
  /** The repetitions get ids of their own, as from a second app, instead of the same id. */
  readonly newIds: boolean
  readonly shuffled: boolean
  readonly spoofed: 'sender' | 'tail' | null
  readonly wrongAmount: boolean
}

export type Send = {
  readonly clientId: string
  readonly sender: string
  readonly text: string
  readonly simSlot: SimSlot
  readonly sentAt: number
  readonly receivedAt: number
  /** Null for a text of the caller, as is the currency: its content is not known. */
  readonly amount: bigint | null
  readonly currency: string | null
  /** For a text of the caller: the scenario's own reference. Null: none is known, or the wording contains none. */
  readonly reference: string | null
  /** What is unusual about it, for the output. */
  readonly oddities: readonly string[]
}

export type Chance = {
  /** From 0 up to, but not including, 1. */
  readonly random: () => number
  readonly newId: () => string
}

const second_ms = 1000

export const planSends = (scenario: Scenario, chance: Chance, now: number): Send[] => {
  const firsts = Array.from({ length: scenario.count }, (_, i) => firstSend(scenario, chance, i, now))
  const all = firsts.flatMap((send) => [send, ...repetitions(send, scenario, chance)])
  return scenario.shuffled ? shuffle(all, chance.random) : all
}

const firstSend = (scenario: Scenario, chance: Chance, i: number, now: number): Send => {
  const { content, late_s, spoofed } = scenario
  const message =
    'wording' in content ? paymentMessage(scenario, content, chance, i) : plainMessage(content.text, scenario)
  // One message per second, the last one `late_s` ago: SMS timestamps have no smaller unit.
  const sentAt = Math.floor(now / second_ms - late_s - (scenario.count - 1 - i)) * second_ms
  return {
    clientId: chance.newId(),
    simSlot: scenario.simSlot,
    sentAt,
    receivedAt: sentAt + 400,
    ...message,
    sender: spoofed === 'sender' ? lookalike(scenario.sender) : scenario.sender,
    text: spoofed === 'tail' ? message.text + tail : message.text,
    oddities: [
      ...message.oddities,
      ...(late_s > 0 ? [`${late_s} s late`] : []),
      ...(spoofed === null ? [] : [`spoofed ${spoofed}`]),
    ],
  }
}

type Message = Pick<Send, 'text' | 'amount' | 'currency' | 'reference' | 'oddities'>

const plainMessage = (text: string, { reference, style }: Scenario): Message => ({
  text: restyle(text, style),
  amount: null,
  currency: null,
  reference,
  oddities: [],
})

const paymentMessage = (
  scenario: Scenario,
  { wording, amount: requested, currency }: Extract<Scenario['content'], { wording: Wording }>,
  chance: Chance,
  i: number,
): Message => {
  const amount = scenario.wrongAmount ? wrongAmountFor(requested) : requested
  const reference = wording.reference === undefined ? null : referenceOf(scenario, wording.reference, chance, i)
  const facts: PaymentFacts = {
    amount,
    currency,
    reference: reference ?? '',
    balance: scenario.balance + amount * BigInt(i + 1),
    payer: scenario.payer,
    phone: scenario.phone,
  }
  const oddities = scenario.wrongAmount ? ['wrong amount'] : []
  return { text: writeAlert(wording, facts, scenario.style), amount, currency, reference, oddities }
}

/** One unit less than requested; where that leaves nothing, one more. */
const wrongAmountFor = (amount: bigint): bigint => (amount > 100n ? amount - 100n : amount + 100n)

const referenceOf = (
  { reference }: Scenario,
  format: NonNullable<Wording['reference']>,
  { random }: Chance,
  i: number,
): string => {
  if (reference !== null) return countUp(reference, i)
  let digits = String(1 + Math.floor(random() * 9))
  while (digits.length < format.digits) digits += String(Math.floor(random() * 10))
  return format.prefix + digits
}

/** The reference that comes `by` places after this one: its last digits count up and keep their leading zeros. */
export const countUp = (reference: string, by: number): string => {
  if (by === 0) return reference
  const digits = /\d+$/.exec(reference)?.[0]
  if (digits === undefined) return `${reference}-${by + 1}`
  const next = String(BigInt(digits) + BigInt(by)).padStart(digits.length, '0')
  return reference.slice(0, -digits.length) + next
}

/** Another name that looks the same on most screens; if no letter has a lookalike, the name with a dot at its end. */
const lookalike = (sender: string): string => {
  // Cyrillic and Greek letters.
  const lookalikes: Readonly<Record<string, string>> = {
    a: '\u0430',
    e: '\u0435',
    o: '\u043e',
    M: '\u041c',
    N: '\u039d',
  }
  const at = [...sender].findIndex((letter) => letter in lookalikes)
  return at < 0 ? `${sender}.` : sender.slice(0, at) + lookalikes[sender[at]!] + sender.slice(at + 1)
}

// A forged alert that begins like a genuine one: only the appended text differs.
const tail = ' ثم أضيف 90000: اتصل 770000000'

const repetitions = (send: Send, { repeats, newIds }: Scenario, { newId }: Chance): Send[] =>
  Array.from({ length: repeats }, (_, i) =>
    newIds
      ? {
          ...send,
          clientId: newId(),
          receivedAt: send.receivedAt + (i + 1) * second_ms,
          oddities: [...send.oddities, 'again under another id'],
        }
      : { ...send, oddities: [...send.oddities, 'again under the same id'] },
  )

const shuffle = <T>(list: readonly T[], random: () => number): T[] => {
  const mixed = [...list]
  for (let i = mixed.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    ;[mixed[i], mixed[j]] = [mixed[j]!, mixed[i]!]
  }
  return mixed
}

/** Repeatable random numbers (mulberry32). Not for secrets. */
export const seededRandom = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
