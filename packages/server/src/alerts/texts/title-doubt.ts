/** Whether the title of a notification changes what its text says: "transfer cancelled", "you sent", "pending". Pure. */
import { TRIAL_WORDS } from './denial-words.ts'
import { deniesItself } from './denies-itself.ts'
import { bareLetters } from './folded-text.ts'
import { normalise } from './normalise.ts'
import { stateWordIn } from './sentence-words.ts'

/** What the title says against the text; undefined: nothing. `names`: what the app may write there, the names of
 *  the sender and of the company. `isTest`: it is of the test provider, whose messages are called tests. */
export const titleDoubt = (
  title: string,
  names: readonly string[],
  isTest = false,
): 'denied' | 'unexpected' | undefined => {
  const bare = bareLetters(normalise(title))
  const rest = names.reduce((text, name) => withoutPhrase(text, bareLetters(normalise(name))), bare)
  if (deniesItself(rest, isTest)) return 'denied'
  const said = HARMLESS.reduce((text, phrase) => text.replace(phrase, ' '), rest)
  const known = isTest ? new Set([...HARMLESS_WORDS, ...TRIALS]) : HARMLESS_WORDS
  return TITLE_WORD.test(said) || stateWordIn(said, known) !== undefined ? 'unexpected' : undefined
}

const TRIALS: ReadonlySet<string> = new Set(TRIAL_WORDS.map(bareLetters))

/** `phrase` removed from `text` wherever it stands as whole words. */
const withoutPhrase = (text: string, phrase: string): string =>
  phrase === ''
    ? text
    : text
        .split(phrase)
        .reduce((before, after) =>
          LETTER_AT_END.test(before) || LETTER_AT_START.test(after) ? before + phrase + after : `${before} ${after}`,
        )
const LETTER_AT_END = /\p{L}$/u
const LETTER_AT_START = /^\p{L}/u

// In a title these words only say that the money has come, or nothing: "deposit confirmed", "sent you money", "تم قيد مبلغ".
const HARMLESS_WORDS: ReadonlySet<string> = new Set(
  [
    ...[
      'confirmed',
      'confirmation',
      'verified',
      'approved',
      'processed',
      'been',
      'sender',
      'null',
      'unknown',
      'undefined',
      'unread',
    ],
    ...['مكتمل', 'مكتملة', 'اكتمل', 'اكتملت', 'مؤكد', 'مؤكدة', 'دائن', 'لك', 'لكم', 'إليك', 'إليكم', 'المرسل'],
  ].map(bareLetters),
)
const HARMLESS: readonly RegExp[] = [
  /(?<!\p{L})sent(?= (?:to )?you(?!\p{L}))/gu,
  /(?<!\p{L})(?:ارسلت?|ارسال|مرسله?|حولت?)(?=(?: (?!شكرا)\p{L}+){0,2} (?:ل|الي)كم?(?!\p{L}))/gu,
  /(?<!\p{L})(?:تمت? (?:تنفيذ|اجرا|تاكيد|قيد)|اشعار قيد|قيد (?:داين|مبلغ|المبلغ)|غير مقرو\p{L}*)(?!\p{L})/gu,
  /(?<!\p{L}|(?:يرجي|رجا|نرجو|ارجو) )تاكيد(?!\p{L})/gu,
  /(?<!\p{L})حساب\p{L}* جاري(?!\p{L})/gu,
  /(?<!\p{L})no(?=[ .:#]*\d)/gu,
]
// And these say in a title that it has not come yet, that something must be done before, or that it is not for you.
const TITLE_WORD = new RegExp(
  `(?<!\\p{L})(?:${[
    'will|arriving|needs?|needed|requires?|required|in \\S+ (?:days?|hours?)|after confirmation|end of (?:the )?day',
    'due|(?:please|to) pay|pay now|you(?: have|.?ve)? paid|paid out|cash out|(?:taken|called)(?: it)? back',
    'جاري?ه?|يجري|تجري|[يت]حتاج|بحاجه|محتاجه|يرجي|نرجو|بعد (?!العمليه|الايداع|التحويل)\\p{L}+|نهايه (?:الشهر|الاسبوع)',
    'ادفعو?ا?|مستحقه?|من (?:حسابك|محفظتك|رصيدك)م?|قمت ب\\p{L}+|(?:حسابكم?|قيد|اشعار) مدين|نقص|غيرك|(?:طرف|شخص|حساب) اخر',
  ].join('|')})(?!\\p{L})`,
  'u',
)
