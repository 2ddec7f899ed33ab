/**
 * Changes that make no difference, each with the reason. `line`: the code of the changed line, so that the entry stays true when
 * the file moves. A reason says why no input can show the change.
 */
export type NoDifference = {
  readonly file: string
  readonly line: string
  readonly shown: string
  readonly why: string
}

export const noDifference: readonly NoDifference[] = [
  {
    file: 'matching/rules/same-payment.ts',
    line: 'if (timeA === undefined || timeB === undefined) return false',
    shown: 'timeA === undefined || timeB === undefined -> timeA === undefined && timeB === undefined',
    why: 'The difference of a time and undefined is NaN, which is greater than nothing: the result is false as well.',
  },
  {
    file: 'alerts/balances/day-close.ts',
    line: 'if (listedGaps.length < mostGaps) listedGaps.push(oldest)',
    shown: 'listedGaps.length < mostGaps -> listedGaps.length <= mostGaps',
    why: 'Only the first `mostGaps` are taken from the list when the day is closed.',
  },
  {
    file: 'alerts/balances/day-close.ts',
    line: 'if (fitted && !dismissed && difference < 0n && -difference <= amount) {',
    shown: 'difference < 0n -> difference <= 0n',
    why: 'A difference of zero has returned above, and there is no amount between 0 and 1.',
  },
  {
    file: 'alerts/balances/day-close.ts',
    line: 'if (fitted && !dismissed && difference < 0n && -difference <= amount) {',
    shown: '0n -> (0n + 1n)',
    why: 'A difference of zero has returned above, and there is no amount between 0 and 1.',
  },
  {
    file: 'alerts/balances/day-close.ts',
    line: 'if (difference > 0n) {',
    shown: 'difference > 0n -> difference >= 0n',
    why: 'A difference of zero has returned above.',
  },
  {
    file: 'alerts/texts/one-time-code.ts',
    line: 'found.some(({ from, until }) => from >= index + length && until <= (followingAdvice?.index ?? 0)),',
    shown: 'until <= (followingAdvice?.index ?? 0) -> until < (followingAdvice?.index ?? 0)',
    why: 'Advice does not begin right after a digit (`ownWord`), and a number ends at its fourth character or later.',
  },
  {
    file: 'alerts/texts/one-time-code.ts',
    line: 'found.some(({ from, until }) => from >= index + length && until <= (followingAdvice?.index ?? 0)),',
    shown: '0 -> (0 + 1)',
    why: 'Advice does not begin right after a digit (`ownWord`), and a number ends at its fourth character or later.',
  },
  {
    file: 'core/money.ts',
    line: `if (stripped.length > MAX_CHARACTERS && codePoints(stripped) > MAX_CHARACTERS) return no('max_string_length')`,
    shown: 'stripped.length > MAX_CHARACTERS -> stripped.length >= MAX_CHARACTERS',
    why: 'A text has no more characters than UTF-16 units: the second condition is false for a text of exactly the limit.',
  },
  {
    file: 'core/reference-key.ts',
    line: 'const MOST_PASSES = 8',
    shown: '8 -> (8 + 1)',
    why: 'Three passes are enough for every text: the loop ends before the bound.',
  },
  {
    file: 'core/reference-key.ts',
    line: 'for (let pass = 0; pass < MOST_PASSES; pass++) {',
    shown: '0 -> (0 + 1)',
    why: 'Three passes are enough for every text: the loop ends before the bound.',
  },
  {
    file: 'core/reference-key.ts',
    line: 'for (let pass = 0; pass < MOST_PASSES; pass++) {',
    shown: 'pass < MOST_PASSES -> pass <= MOST_PASSES',
    why: 'Three passes are enough for every text: the loop ends before the bound.',
  },
  {
    file: 'http/limits/memory-limits.ts',
    line: 'const count: Count = { key, burst, sustained, level: 0, usedAt: now }',
    shown: '0 -> (0 + 1)',
    why: '`take` puts the count into the level of its calls, which is 0 for one call, right after.',
  },
  {
    file: 'http/limits/rule.ts',
    line: `if (typeof max !== 'number' || !Number.isSafeInteger(max) || max < 0) {`,
    shown: 'max < 0 -> max <= 0',
    why: 'Zero has returned above with its own sentence, and there is no whole number between 0 and 1.',
  },
  {
    file: 'http/limits/rule.ts',
    line: `if (typeof max !== 'number' || !Number.isSafeInteger(max) || max < 0) {`,
    shown: '0 -> (0 + 1)',
    why: 'Zero has returned above with its own sentence, and there is no whole number between 0 and 1.',
  },
  {
    file: 'http/limits/sliding-window.ts',
    line: '#ring: number[] = [0, 0, 0, 0]',
    shown: '0 -> (0 + 1)',
    why: 'A value of the ring is read only after it was written.',
  },
  {
    file: 'http/limits/sliding-window.ts',
    line: '#ring: number[] = [0, 0, 0, 0]',
    shown: '0 -> (0 + 1) (2)',
    why: 'A value of the ring is read only after it was written.',
  },
  {
    file: 'http/limits/sliding-window.ts',
    line: '#ring: number[] = [0, 0, 0, 0]',
    shown: '0 -> (0 + 1) (3)',
    why: 'A value of the ring is read only after it was written.',
  },
  {
    file: 'http/limits/sliding-window.ts',
    line: '#ring: number[] = [0, 0, 0, 0]',
    shown: '0 -> (0 + 1) (4)',
    why: 'A value of the ring is read only after it was written.',
  },
  {
    file: 'intents/payable/open-amounts.ts',
    line: 'if (count > 0) counts.set(key, count)',
    shown: 'count > 0 -> count >= 0',
    why: 'A count of zero and a missing count are read alike.',
  },
  {
    file: 'intents/payable/unique-amounts.ts',
    line: 'if (amount > 0n && amount <= LARGEST_AMOUNT && amount % round !== 0n) found.push(minor(amount))',
    shown: 'amount > 0n -> amount >= 0n',
    why: 'Zero is a multiple of every number, so it is left out by the last condition.',
  },
  {
    file: 'intents/payable/unique-amounts.ts',
    line: 'if (rested >= rests.length || rested >= best) continue',
    shown: 'rested >= best -> rested > best',
    why: 'The rank of such an amount is not below the best one, so it is not chosen.',
  },
  {
    file: 'matching/merge/merge-plan.ts',
    line: 'const preference = { matched: 0, booked: 0, wrong_amount: 1, waiting: 2 } as const',
    shown: '2 -> (2 + 1)',
    why: 'Preferences are only compared with each other and with 0.',
  },
  {
    file: 'matching/merge/merge-plan.ts',
    line: '(a, b) => preference[a.state] - preference[b.state] || (a.id < b.id ? -1 : 1),',
    shown: 'a.id < b.id -> a.id <= b.id',
    why: 'Two alerts have two ids, and a sort reads only the sign.',
  },
  {
    file: 'matching/merge/merge-plan.ts',
    line: '(a, b) => preference[a.state] - preference[b.state] || (a.id < b.id ? -1 : 1),',
    shown: '1 -> (1 + 1)',
    why: 'Two alerts have two ids, and a sort reads only the sign.',
  },
  {
    file: 'matching/merge/merge-plan.ts',
    line: '(a, b) => preference[a.state] - preference[b.state] || (a.id < b.id ? -1 : 1),',
    shown: '1 -> (1 + 1) (2)',
    why: 'Two alerts have two ids, and a sort reads only the sign.',
  },
  {
    file: 'matching/rules/nearness.ts',
    line: 'const [short, long] = a.length <= b.length ? [a, b] : [b, a]',
    shown: 'a.length <= b.length -> a.length < b.length',
    why: 'For texts of one length, containing and counting edits are symmetric.',
  },
  {
    file: 'matching/rules/nearness.ts',
    line: 'let row = Array.from({ length: b.length + 1 }, (_, j) => j)',
    shown: '1 -> (1 + 1)',
    why: 'The additional number is behind the last one that is read.',
  },
  {
    file: 'matching/rules/nearness.ts',
    line: 'return Number(same) * 16 + Number(alike) * 8 + Number(sameAmount) * 4 + Number(samePayer) * 2 + Number(inTime)',
    shown: '16 -> (16 + 1)',
    why: 'The scores are only compared: each weight stays above the sum of the smaller ones. A reference that is the same is also alike, or it is too short for any to be alike.',
  },
  {
    file: 'matching/rules/nearness.ts',
    line: 'return Number(same) * 16 + Number(alike) * 8 + Number(sameAmount) * 4 + Number(samePayer) * 2 + Number(inTime)',
    shown: '8 -> (8 + 1)',
    why: 'The scores are only compared: each weight stays above the sum of the smaller ones. A reference that is the same is also alike, or it is too short for any to be alike.',
  },
  {
    file: 'matching/rules/payer-name.ts',
    line: 'const [short, long] = a.letters.length <= b.letters.length ? [a, b] : [b, a]',
    shown: 'a.letters.length <= b.letters.length -> a.letters.length < b.letters.length',
    why: 'Of two words of one length, one begins with the other only if they are equal: then the roles do not matter.',
  },
  {
    file: 'matching/rules/payer-phone.ts',
    line: 'const [short, long] = a.digits <= b.digits ? [a, b] : [b, a]',
    shown: 'a.digits <= b.digits -> a.digits < b.digits',
    why: 'Two different numbers of one length do not end with each other, and only the length of the shorter one is read.',
  },
  {
    file: 'wallets/silence/rhythm.ts',
    line: `const digits = counts.hours.slice(from, from + 24) || '0'.repeat(24)`,
    shown: '24 -> (24 + 1) (2)',
    why: 'Days without counts come after the last message: no silence ends on them, and one more zero adds nothing to a sum.',
  },
  {
    file: 'wallets/silence/silence-gaps.ts',
    line: 'for (const silence of weekly) if (silence > longest && silence <= limitAbove(longest, margin)) longest = silence',
    shown: 'silence > longest -> silence >= longest',
    why: 'An equal silence sets the same value.',
  },
  {
    file: 'wallets/silence/silence.ts',
    line: 'return gap < before_s ? Math.max(gap, Math.floor((before_s * 2) / 3)) : Math.min(gap, Math.ceil((before_s * 5) / 4))',
    shown: 'gap < before_s -> gap <= before_s',
    why: 'For an equal gap both sides give the gap.',
  },
  {
    file: 'webhooks/sending/sender-state.ts',
    line: 'const after = endpoints.reduce((last: string, { id }) => (id > last ? id : last), firstEndpoint)',
    shown: 'id > last -> id >= last',
    why: 'Of two equal ids either is the greatest.',
  },
  {
    file: 'alerts/texts/balance-words.ts',
    line: 'const isAmount = [...between.matchAll(AMOUNTS)].some(({ index }) => !AFTERWARDS.test(between.slice(0, index)))',
    shown: '0 -> (0 + 1)',
    why: 'The text begins with a balance word: no word for "after" begins at its first character.',
  },
  {
    file: 'alerts/texts/folded-text.ts',
    line: 'const LATIN = new Map(Array.from({ length: LOOKS.length / 2 }, (_, i) => [LOOKS[i * 2]!, LOOKS[i * 2 + 1]!]))',
    shown: 'LOOKS.length / 2 -> LOOKS.length * 2',
    why: 'The additional pairs are undefined, which is joined to the pattern as an empty text.',
  },
  {
    file: 'alerts/texts/message-parts.ts',
    line: 'if (long.text.startsWith(short.text) || long.text.endsWith(short.text)) return true',
    shown:
      'long.text.startsWith(short.text) || long.text.endsWith(short.text) -> long.text.startsWith(short.text) && long.text.endsWith(short.text)',
    why: 'What begins or ends a normalised text also does so when both are decomposed: the next line finds it. This line only saves time.',
  },
  {
    file: 'matching/rules/doubts.ts',
    line: 'export const doubtsOf = (alert: Doubtful, referencesTried = 0): DoubtCode[] => {',
    shown: '0 -> (0 + 1)',
    why: 'Both are fewer than `manyReferences`.',
  },
  {
    file: 'alerts/balances/balance-chain.ts',
    line: 'const fitting = sums.filter(({ ids, balance }) => ids.length > 0 && isBefore(balance))',
    shown: 'ids.length > 0 -> ids.length >= 0',
    why: 'The known balance itself was compared above, so the sum of no movements does not fit.',
  },
  {
    file: 'postgres/clock/clock-agreement.ts',
    line: 'const low = Math.max(from, lead_ms - error_ms - age * drift_ms)',
    shown: 'age * drift_ms -> age / drift_ms',
    why: 'The drift is 1.',
  },
  {
    file: 'postgres/clock/clock-agreement.ts',
    line: 'const high = Math.min(to, lead_ms + error_ms + age * drift_ms)',
    shown: 'age * drift_ms -> age / drift_ms',
    why: 'The drift is 1.',
  },
  {
    file: 'intents/arrival.ts',
    line: 'const [least, most] = base < payable ? [base, payable] : [payable, base]',
    shown: 'base < payable -> base <= payable',
    why: 'If both are equal, their order makes no difference.',
  },
  {
    file: 'intents/arrival.ts',
    line: 'forgiven: minor(arrived < least ? least - arrived : 0n),',
    shown: 'arrived < least -> arrived <= least',
    why: 'The difference of equal amounts is zero.',
  },
  {
    file: 'intents/arrival.ts',
    line: 'excess: minor(arrived > most ? arrived - most : 0n),',
    shown: 'arrived > most -> arrived >= most',
    why: 'The difference of equal amounts is zero.',
  },
  {
    file: 'matching/rules/payer-likeness.ts',
    line: 'return -1',
    shown: '1 -> (1 + 1)',
    why: 'Every negative number says that the payer stands nowhere.',
  },
  {
    file: 'matching/rules/payer-name.ts',
    line: 'const [short, long] = a.parts.length <= b.parts.length ? [a, b] : [b, a]',
    shown: 'a.parts.length <= b.parts.length -> a.parts.length < b.parts.length',
    why: 'Two names with equally many parts are as like from either side; a test compares generated names.',
  },
  {
    file: 'matching/rules/payer-likeness.ts',
    line: 'for (let at = text.lastIndexOf(payer); at >= 0; at = at === 0 ? -1 : text.lastIndexOf(payer, at - 1)) {',
    shown: '1 -> (1 + 1)',
    why: 'Every negative number ends the loop.',
  },
  {
    file: 'matching/rules/payer-likeness.ts',
    line: 'for (let at = text.lastIndexOf(payer); at >= 0; at = at === 0 ? -1 : text.lastIndexOf(payer, at - 1)) {',
    shown: '1 -> (1 + 1) (2)',
    why: 'A place one character before overlaps this one, so a letter stands beside it: it is no word of its own.',
  },
  {
    file: 'alerts/texts/sentence-words.ts',
    line: 'const kinds = new LRUCache<string, { readonly kind: Kind | undefined }>({ max: 10_000 })',
    shown: '10_000 -> (10_000 + 1)',
    why: 'The bound of a cache: a word that is not in it is looked up again, with the same result.',
  },
  {
    file: 'wallets/trust/needs-owner.ts',
    line: 'lowTrustLimit: one.lowTrustLimit < other.lowTrustLimit ? one.lowTrustLimit : other.lowTrustLimit,',
    shown: 'one.lowTrustLimit < other.lowTrustLimit -> one.lowTrustLimit <= other.lowTrustLimit',
    why: 'Of two equal amounts either is the lower.',
  },
  {
    file: 'wallets/trust/needs-owner.ts',
    line: 'reviewAbove: amounts.length === 0 ? null : amounts.reduce((low, amount) => (amount < low ? amount : low)),',
    shown: 'amount < low -> amount <= low',
    why: 'Of two equal amounts either is the lower.',
  },
]
