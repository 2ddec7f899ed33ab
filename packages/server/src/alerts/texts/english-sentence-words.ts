/**
 * English words of sentences about money, as in `arabic-sentence-words.ts`. Each also matches with -s, -es, -ed, -d, -ing and -ly.
 *
 * Left out on purpose, because people have these names: will, may, mark, bill, grant, price, day, said, say, april, june, august, young,
 * long, best, still, hope, faith, max, an, do, so, am. A sentence with one of them has other words of these lists: "will be credited".
 */

const list = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== '')

/** Words that change what a message says: sent by you, taken back, not yet, on request, a test. */
export const STATE_WORDS: readonly string[] = list(`
  send sent sender withdraw withdrew withdrawn withdrawal debit deduct deduction subtract outgoing outward transferred remitted spend spent
  reverse reversal refund return recall revoke revert undo undone rollback retract chargeback dispute clawback repay repaid reimburse reimbursement
  cancel cancelled cancelling cancellation canceled void annul nullify reject rejection decline refuse deny denied fail failure unsuccessful error mistake mistaken wrong incorrect invalid
  pend pending await wait queue queued progress process hold held freeze frozen froze suspend suspension block lock delay postpone defer deferred stop stopped stuck
  schedule plan planned future tomorrow later soon expect expected expectation estimate estimation approximate approximately forecast upcoming promise
  if unless until till provided subject condition conditional conditionally whether once pre preauth preauthorized provisional provisionally tentative tentatively
  review audit verify verification verified authorise authorize authorization authorisation approve approval confirm confirmation investigate investigation inspect inspection check
  request ask demand claim apply application loan lend lent borrow borrower debt owe overdue overdraft mortgage pledge
  test testing tester trial demo demonstration dummy simulate simulation sandbox mock fake fraud fraudulent forged scam phishing
  not no never nothing none cannot cant wont couldnt didnt isnt wasnt hasnt havent without unpaid incomplete insufficient
  shall should would could might must expire expiry expired lapse lapsed stolen steal lost missing
  be been being
`)

export const OTHER_WORDS: readonly string[] = list(`
  amount balance account wallet fund fee charge cost pay paid payment payable payer payee prepaid postpaid transfer transaction txn trx operation order receive receipt recipient deposit credit
  top topup recharge book booked post posted record add addition get got getting give gave given take took taken buy bought buyer purchase sell sold sale invoice tax vat interest commission discount offer promo promotion promotional bonus
  reward win won winner prize congratulation free coupon voucher cashback points gift limit exceed maximum minimum total subtotal net gross remain remaining extra partial partially instalment installment due
  today tonight yesterday now next last week weekly month monthly year yearly annual annually hour hourly minute second seconds daily date time before after during within since when while already yet just only ever always again
  is are was were has have had having does did done doing you your yours we our ours us they them their it its he she his her him hers me my mine this that these those which who whom whose what where why how there here
  the of for from to into onto in on at by with via through per as or but nor than then also too very because although though otherwise else except about around under over between against off out up down
  please dear customer client user subscriber beneficiary message sms text notice notification notify alert reminder remind warning reference ref number code pin otp
  status state success successful successfully complete completed completion arrive arrival come came coming go goes went gone going incoming inward available unavailable availability temporary temporarily permanent require required need want agree agreement accept acceptance
  start begin began end finish continue resume change update modify edit correct adjust adjustment register registration active activate activation inactive open close call click visit link reply press contact use used using
  riyal rial riyals dollar dollars yer usd sar aed euro yes okay sorry thank thanks welcome new salary wage rent donate donation money cash
  monday tuesday thursday saturday january february september october november december noon midnight
  clear cleared clearance settle settlement release issue issued make made left owed value worth half full fully whole each every any some all both first
`)

/** A name with one of these is the name of a company. */
export const ENGLISH_COMPANY_HEADS: readonly string[] = list(`
  co company ltd limited llc inc corp corporation est establishment group trading trade exchange bank store stores shop shops market supermarket pharmacy restaurant hotel school university hospital clinic center centre agency
  factory enterprise enterprises foundation association institute office services service international
`)

export const ENGLISH_COMPANY_WORDS: readonly string[] = list(`
  the of for and money cash transfer transfers service services offer offers new first general import export time open order orders credit value all in gift gifts
`)
