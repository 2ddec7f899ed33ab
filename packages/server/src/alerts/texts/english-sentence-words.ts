/**
 * English words of sentences about money, as in `arabic-sentence-words.ts`. Each also matches with -s, -es, -ed, -d, -ing and -ly.
 *
 * Left out on purpose, because people have these names: will, may, mark, bill, grant, price, day, said, say, april, june, august,
 * young, long, best, still, hope, faith, max, an, do, so, am, beg, eta, nil, trust, bond, sham (Shams). A sentence with one of
 * them has other words of these lists: "will be credited".
 */

const list = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== '')

/** Words that change what a message says: sent by you, taken back, not yet, on request, a test. */
export const STATE_WORDS: readonly string[] = list(`
  send sent sender withdraw withdrew withdrawn withdrawal debit deduct deduction subtract outgoing outward transferred remitted
  spend spent reverse reversal refund return recall revoke revert undo undone rollback retract chargeback dispute clawback
  repay repaid reimburse reimbursement cancel cancelled cancelling cancellation canceled void annul nullify reject rejection
  decline refuse deny denied fail failure unsuccessful error mistake mistaken wrong incorrect invalid pend pending await wait
  queue queued progress process hold held freeze frozen froze suspend suspension block lock delay postpone defer deferred stop
  stopped stuck schedule plan planned future tomorrow later soon expect expected expectation estimate estimation approximate
  approximately forecast upcoming promise if unless until till provided subject condition conditional conditionally whether
  once pre preauth preauthorized provisional provisionally tentative tentatively review audit verify verification verified
  authorise authorize authorization authorisation approve approval confirm confirmation investigate investigation inspect
  inspection check request ask demand claim apply application loan lend lent borrow borrower debt owe overdue overdraft
  mortgage pledge test testing tester trial demo demonstration dummy simulate simulation sandbox mock fake fraud fraudulent
  forged scam phishing not no never nothing none cannot cant wont couldnt didnt isnt wasnt hasnt havent without unpaid
  incomplete insufficient shall should would could might must expire expiry expired lapse lapsed stolen steal lost missing be
  been being advance escrow reserve reserved penalty penalise quote quotation proforma forma null unknown unclear suspicious
  suspect suspected blacklist bounce bounced erase erased delete deleted remove removed uncleared unverified unconfirmed
  unsettled proposed propose hypothetical imaginary pretend theoretical dispatch dispatched remit payout cashout disburse
  disbursed attempt attempted tried abort aborted halt halted interrupted terminated terminate seize seized confiscate garnish
  withhold withheld retain offset prevent restrict restricted limitless forbid forbidden prohibited overturn rescind repudiate
  unwind recover recovery recoup clawed mistakenly erroneously accidentally duplicate duplicated possible possibly probably
  perhaps maybe likely unlikely potential potentially eventually shortly presently anticipated contingent draft initiate
  initiated reversible reversibly beta fictional fiction lease levy surcharge unable glitch bug outage dishonour dishonor
  outstanding forthcoming deliver overdrawn redirect reroute divert intercept misdirect misroute erroneous faulty defective
  corrupt garbled spoof counterfeit bogus phony hoax prank joke kidding fabricate photoshop photoshopped template specimen
  sample preview placeholder practice rehearsal exercise training dry notional nominal symbolic informational fyi memo advisory
  intimation intend intention intended prospective expectant impending imminent oncoming approach underway inbound transit
  transiting onward forward earmark ringfence lien encumber collateral guarantee custody custodial safekeeping impound
  sequester embargo sanction barred banned stall jammed hanging limbo dormant idle parked shelve lagging backlog backordered
  reschedule adjourn kiv tba tbc tbd asap vanish disappear evaporate fled depart writeoff struck scrap scrapped ditch pulled
  yank kick kicked pushed handed flip flipped negate countermand overrule veto disallow inadmissible ineligible disqualify
  disqualified non nonfinal premature hopefully inshallah willing someday anytime wanna gonna gimme owing arrears indebted
  solicit plea appeal begging elsewhere third party stranger misc zilch zero empty blank hollow unfunded unfulfilled unclaimed
  uncollected unresolved unfinished unmatched annulled inoperative crash crashed malfunction reclaim reclaimed repossess
  repossessed forfeit forfeited rebuff rebuffed quash quashed nix nixed axed repeal repealed remand garnishee outflow outbound
  arrearage iou deferment moratorium standby contingency hypothetically supposedly allegedly alleged purported purportedly
  presumed assumed reportedly apparently unsubstantiated unproven unfounded doubtful dubious questionable disputedly unsecured
  uncovered nsf stale outdated obsolete staged drill route neighbour neighbor unwound nonexistent siphon embezzle phish swindle
  conned pocketed burned deplete drain sucked docked fined billed dunned chased hoping craving imagining iced snoozed paused
  slated pencilled aside sometime nope nah naught disavow decommission wishing dreaming kaput busted dud flop fizzle botch
  bungle fumble goof oops whoops apology apologies regret alas unfortunately sadly barring lest albeit whereas pro rata gratia
  facto hoc fide vis unsealed rewritten reissue replay resent carbon copy photocopy screenshot mockup wireframe storyboard
`)

export const OTHER_WORDS: readonly string[] = list(`
  amount balance account wallet fund fee charge cost pay paid payment payable payer payee prepaid postpaid transfer transaction
  txn trx operation order receive receipt recipient deposit credit top topup recharge book booked post posted record add
  addition get got getting give gave given take took taken buy bought buyer purchase sell sold sale invoice tax vat interest
  commission discount offer promo promotion promotional bonus reward win won winner prize congratulation free coupon voucher
  cashback points gift limit exceed maximum minimum total subtotal net gross remain remaining extra partial partially
  instalment installment due today tonight yesterday now next last week weekly month monthly year yearly annual annually hour
  hourly minute second seconds daily date time before after during within since when while already yet just only ever always
  again is are was were has have had having does did done doing you your yours we our ours us they them their it its he she his
  her him hers me my mine this that these those which who whom whose what where why how there here the of for from to into onto
  in on at by with via through per as or but nor than then also too very because although though otherwise else except about
  around under over between against off out up down please dear customer client user subscriber beneficiary message sms text
  notice notification notify alert reminder remind warning reference ref number code pin otp status state success successful
  successfully complete completed completion arrive arrival come came coming go goes went gone going incoming inward available
  unavailable availability temporary temporarily permanent require required need want agree agreement accept acceptance start
  begin began end finish continue resume change update modify edit correct adjust adjustment register registration active
  activate activation inactive open close call click visit link reply press contact use used using riyal rial riyals dollar
  dollars yer usd sar aed euro yes okay sorry thank thanks welcome new salary wage rent donate donation money cash monday
  tuesday thursday saturday january february september october november december noon midnight rate indicative clear cleared
  clearance settle settlement release issue issued make made left owed value worth half full fully whole each every any some
  all both first atm pos lottery lucky draw raffle quota allowance autopay auto automatic automatically recurring recurrent
  statement enquiry inquiry query cheque card loyalty subscription subscribe subscribed membership renew renewal upgrade
  download install app application website site online offline internet data bundle package minutes airtime electricity details
  detail info information help support team merchant vendor password passcode secret security secure safe safely login logon
  sign signed signature access identity document documents file attach attached form fill submit submitted enter entered type
  typed select selected choose chosen option options step steps follow following below above note notes reason reasons purpose
  result results effect effective immediately immediate instantly instant urgent quickly fast slow early late lately recent
  recently current currently previous previously former formerly original originally actual actually real really true truly
  false falsely genuine valid validity legal illegal official officially unofficial public private personal special specific
  particular certain uncertain sure unsure clearly simple simply easy easily hard difficult important necessary necessarily
  minus plus times percent percentage ratio share shares stock stocks profit loss gain earning earnings income expense expenses
  budget savings save saved priced pricing cheap expensive let lets keep kept put show shown see seen look looked find found
  know known think thought tell told asked answer answered speak spoke spoken write wrote written read hear heard feel felt
  bring brought carry carried move moved turn turned ran leave leaving allow allowed enable enabled disable disabled provide
  provides providing include included including exclude excluded contain contained reach reached reaching increase increased
  decrease decreased reduce reduced raise raised lower lowered fell fallen risen drop dropped same different other others
  another such own many much most few less least little several enough even quite rather almost nearly exactly roughly however
  therefore thus hence meanwhile moreover furthermore instead besides regarding concerning behalf favour favor according
  ourselves yourself himself herself itself themselves someone somebody anyone anybody everyone everybody nobody something
  anything everything somewhere anywhere everywhere playground jackpot earn refer referral ballpark bet casino game play
`)

/** A name with one of these is the name of a company. */
export const ENGLISH_COMPANY_HEADS: readonly string[] = list(`
  co company ltd limited llc inc corp corporation est establishment group trading trade exchange bank store stores shop shops
  market supermarket pharmacy restaurant hotel school university hospital clinic center centre agency factory enterprise
  enterprises foundation association institute office services service international
`)

export const ENGLISH_COMPANY_WORDS: readonly string[] = list(`
  the of for money cash transfer transfers new gift gifts transit forwarding training party
`)
