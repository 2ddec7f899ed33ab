/** The buyer's page in each of its states, as HTML. Pure: everything that the page shows is in `PageFacts`. */
import type { PageShop } from '../../checkouts/buyer/page-shop.ts'
import { type CheckoutIntent, mostReferences, type WithIntents } from '../../checkouts/checkout.ts'
import type { Company, LocalizedCompany } from '../../checkouts/company/company.ts'
import { isDisputed, type PageClaim } from '../../checkouts/page-claim.ts'
import { withCheckout } from '../../checkouts/return-url.ts'
import type { Instant } from '../../core/clock.ts'
import { type Minor, minor } from '../../core/money.ts'
import type { Zone } from '../../core/zone.ts'
import type { Wallet } from '../../wallets/wallet.ts'
import { companyMark } from '../drawings/company-mark.ts'
import { payDrawings } from '../drawings/pay-drawings.ts'
import { Html, html, type Part, shared } from './html.ts'
import { wordsFor, wordsOfNotice } from './no-contact-words.ts'
import type { PageText } from './page-answer.ts'
import {
  document,
  helpOf,
  largeAmount,
  money,
  type PageLogo,
  sentence,
  soonText,
  typedAmount,
  waitText,
} from './page-parts.ts'
import type { PageError } from './page-query.ts'
import { type PageView, pageKey, paidAndRest, type WalletCondition } from './page-view.ts'
import type { PageWords } from './page-words.ts'
import { accountCode, appButton, whereToFind } from './pay-help.ts'
import { itemsOf, receiptCard } from './receipt.ts'

export type PageFacts = {
  readonly found: WithIntents
  readonly view: PageView
  readonly locale: 'ar' | 'en'
  readonly shop: Pick<PageShop, 'name' | 'color' | 'whatsapp' | 'phone' | 'frameOrigins'> & {
    readonly logo: PageLogo | null
  }
  readonly zone: Zone
  readonly now: Instant
  /** `/pay/{token}` */
  readonly path: string
  /** The wallets to choose from. */
  readonly wallets: readonly Wallet[]
  /** The companies of the account's wallets, by the provider's id. The same object until the wallets are read again. */
  readonly companies: ReadonlyMap<string, LocalizedCompany>
  /** Wallets whose phone is silent. */
  readonly silent: ReadonlySet<string>
  /** The wallet of the open intent. */
  readonly wallet: Wallet | undefined
  /** The condition of that wallet; `good` if there is none. */
  readonly condition: WalletCondition
  /** How long this wallet's payments usually take; undefined: not known. */
  readonly usualWait_ms: number | undefined
  /** The buyer asked to choose another wallet, or to begin again. */
  readonly choosing: boolean
  /** The buyer asked for the field for the reference, although the amount is unique. */
  readonly typing: boolean
  readonly error: PageError | undefined
  /** The last number that was refused, because another order has it. */
  readonly claim: PageClaim | undefined
  /** The buyer's input, shown again so that they can correct it. */
  readonly typed: string
  /** The reading of a pasted message, which the buyer must confirm. */
  readonly confirm: { readonly reference: string; readonly amount: Minor | undefined } | undefined
  /** What the address of the page in the other language keeps: `&name=value...` */
  readonly kept: string
}

const note = (text: Part): Html => html`<p class="note">${text}</p>`

const action = (facts: PageFacts, verb: string): string => `${facts.path}/${verb}?lang=${facts.locale}`

const pageUrl = (facts: PageFacts): string => `${facts.path}?lang=${facts.locale}`

const form = (facts: PageFacts, verb: string, inside: Part): Html =>
  html`<form method="post" action="${action(facts, verb)}">${inside}</form>`

const head = (facts: PageFacts, words: PageWords): Html => {
  const { checkout } = facts.found
  const parts = paidAndRest(facts.found)
  // Buyers send the amount that is shown in large digits. So it is the unique amount, if there is one, not the checkout's.
  const { view } = facts
  const large = view.kind === 'pay' && parts === undefined ? view.intent.payable : checkout.amount
  const left: Part =
    parts !== undefined &&
    parts.rest > 0n &&
    html`<p>${sentence(words.paidPart, {
      paid: money(parts.paid, words),
      amount: money(checkout.amount, words),
      rest: money(parts.rest, words),
    })}</p>`
  return html`<section class="card"><div class="sum">${
    checkout.externalOrderId === ''
      ? html`<span class="quiet">${words.toPay}</span>`
      : html`<span>${sentence(words.order, { order: checkout.externalOrderId })}</span>`
  }${largeAmount(large, words)}</div>${left}${itemsOf(facts.found.checkout, words)}</section>`
}

/** A provider that was removed in the meantime is still shown by its name. */
const companyOf = ({ companies, locale }: PageFacts, { provider }: Wallet): Company =>
  companies.get(provider.id)?.[locale] ?? { key: '', name: provider.displayName, steps: [], appLink: '' }

const markOf = (company: Company, { provider }: Wallet): Html =>
  new Html(companyMark({ key: company.key, name: company.name, color: provider.themeColor }))

const walletButton = (facts: PageFacts, words: PageWords, wallet: Wallet): Html => {
  const company = companyOf(facts, wallet)
  return html`<button class="wallet" name="wallet" value="${wallet.id}">${markOf(company, wallet)}<span>${company.name} <small>${wallet.name}${wallet.isTest && ` (${words.test})`}</small></span>${
    facts.silent.has(wallet.id) && html`<small>${words.late}</small>`
  }</button>`
}

/** The payer's number: for accounts with unique amounts, unless the shop has claimed a payer. It may be left empty. */
const payerField = ({ found, wallets, typed, error }: PageFacts, words: PageWords): Part =>
  found.checkout.customerPhone === '' &&
  wallets.some(({ uniqueAmounts }) => uniqueAmounts !== null) &&
  html`<label for="payer">${words.payer}</label><input id="payer" name="payer" inputmode="tel" dir="ltr" maxlength="32" autocomplete="tel" value="${typed}"${
    error === 'errorPayer' && new Html(' aria-invalid="true"')
  }>`

/** The cached buttons of an account's wallets, which are the same for all its buyers. The key is the map of companies. */
const walletButtons = new WeakMap<PageFacts['companies'], Map<string, Html>>()

const buttonsOf = (facts: PageFacts, words: PageWords): Html => {
  const cached = walletButtons.get(facts.companies) ?? new Map<string, Html>()
  walletButtons.set(facts.companies, cached)
  const key = `${facts.locale} ${facts.wallets.map(({ id }) => id).join()}`
  const buttons = cached.get(key) ?? shared(html`${facts.wallets.map((wallet) => walletButton(facts, words, wallet))}`)
  if (cached.size < mostButtons) cached.set(key, buttons)
  return buttons
}
const mostButtons = 100

const chooser = (facts: PageFacts, words: PageWords): Html =>
  facts.wallets.length === 0
    ? note(words.none)
    : html`<section class="card"><h1>${words.choose}</h1><p class="quiet">${words.chooseHint}</p>${form(
        facts,
        'wallet/',
        [payerField(facts, words), buttonsOf(facts, words)],
      )}</section>`

const copyRow = (name: string, shown: string, copied: string, words: PageWords): Html =>
  html`<dt>${name}</dt><dd><bdi>${shown}</bdi><button type="button" class="copy plain" data-copy="${copied}" aria-label="${words.copy}: ${name}">${words.copy}</button></dd>`

const referenceForm = (facts: PageFacts, words: PageWords): Html => {
  const invalid = facts.error !== undefined
  const fields = html`<label for="reference">${words.referenceHint}</label><textarea id="reference" name="reference" required maxlength="2000" dir="auto" autocomplete="off"${
    invalid && new Html(' aria-invalid="true"')
  }>${facts.typed}</textarea><button>${words.submit}</button>`
  return form(facts, 'reference/', invalid || facts.typed !== '' ? fields : shared(fields))
}

/** The note that confirmation may be late. It offers another wallet, if there is one whose phone reports. */
const lateNote = (facts: PageFacts, words: PageWords): Part => {
  if (facts.condition !== 'late') return undefined
  const other = facts.wallets.some(({ id }) => !facts.silent.has(id))
  return note(html`${words.lateLong}${other && html` <a href="${pageUrl(facts)}&amp;change=1">${words.lateOther}</a>`}`)
}

/** The form for the reference. With a unique amount only a buyer who paid another amount needs it, and asks for it. */
const afterSending = (facts: PageFacts, words: PageWords, company: Company, unique: boolean): Html =>
  unique && !isTyping(facts)
    ? html`<section class="card"><h2>${words.byAmount}</h2><p>${words.byAmountLong}</p><p><a class="button plain" href="${pageUrl(facts)}">${words.refresh}</a></p><p><a href="${pageUrl(facts)}&amp;number=1">${words.paidOther}</a></p></section>`
    : html`<section class="card"><h2>${words.reference}</h2>${referenceForm(facts, words)}${shared(whereToFind(company, words))}</section>`

/** A page on which the buyer types does not reload itself. */
const isTyping = ({ typing, error, typed }: PageFacts): boolean => typing || error !== undefined || typed !== ''

const isUnique = (wallet: Wallet, { payable, base }: CheckoutIntent): boolean =>
  wallet.uniqueAmounts !== null && payable !== base

/** Shown if the shop closed the wallet, or switched its phone off, after the buyer chose it. The account number is not shown. */
const closedCard = (facts: PageFacts, words: PageWords, company: Company, unique: boolean): Html =>
  html`<section class="card"><h1>${words.closedWallet}</h1>${
    facts.wallets.length > 0 &&
    html`<p><a class="button" href="${pageUrl(facts)}&amp;change=1">${words.chooseOther}</a></p>`
  }<p>${unique ? words.closedSentExact : words.closedSent}</p></section>${!unique && afterSending(facts, words, company, false)}`

/** The three steps as pictures: the app, the money, and the number; with a unique amount no number is needed. */
const drawnSteps = (words: PageWords, unique: boolean): Html => {
  const texts = [words.step1, words.step2, unique ? words.step3Wait : words.step3]
  const pictures = payDrawings(unique ? 'wait' : 'number')
  return shared(
    html`<ol class="steps">${texts.map((text, n) => html`<li>${new Html(pictures[n]!)}<b>${n + 1}</b> ${text}</li>`)}</ol>`,
  )
}

const payCard = (facts: PageFacts, words: PageWords, intent: CheckoutIntent): Html => {
  const { wallet } = facts
  const { payable: amount, base } = intent
  if (wallet === undefined) return note(words.none)
  const company = companyOf(facts, wallet)
  const { accountNumber } = wallet
  const unique = isUnique(wallet, intent)
  if (facts.condition === 'closed') return closedCard(facts, words, company, unique)
  const exactly = unique
    ? sentence(words.exactlyUnique, {
        amount: money(amount, words),
        base: money(base, words),
        difference: money(minor(amount > base ? amount - base : base - amount), words),
      })
    : words.exactly
  return html`${lateNote(facts, words)}<section class="card"><h1>${words.send}</h1>${drawnSteps(words, unique)}<p><b>${exactly}</b></p><dl>${copyRow(words.toPay, money(amount, words), typedAmount(amount), words)}${shared(html`${copyRow(words.to, accountNumber, accountNumber, words)}<dt>${words.name}</dt><dd>${wallet.name}</dd><dt>${words.company}</dt><dd class="who">${markOf(company, wallet)}${company.name}</dd></dl>`)}${appButton(company, accountNumber, typedAmount(amount), words)}${shared(html`<details><summary>${words.how}</summary><ol>${company.steps.map((step) => html`<li>${step}</li>`)}</ol></details>${accountNumber !== '' && accountCode(accountNumber, company.name, words)}</section>`)}${afterSending(facts, words, company, unique)}${
    facts.wallets.length > 1 && html`<p><a href="${pageUrl(facts)}&amp;change=1">${words.chooseOther}</a></p>`
  }`
}

/** What happens next with a number that another order has: the shop decides; or, if it is free again, the buyer sends it again. */
const claimNote = ({ view, claim, now }: PageFacts, words: PageWords): Part => {
  if (claim === undefined || (view.kind !== 'pay' && view.kind !== 'looking')) return undefined
  return note(sentence(isDisputed(claim, now) ? words.claimed : words.claimedFree, { reference: claim.reference }))
}

const lookingCard = (facts: PageFacts, words: PageWords, reference: string): Html => {
  const condition: Part =
    (facts.condition === 'late' && note(words.lateLong)) || (facts.condition === 'closed' && note(words.closedLooking))
  const mayCorrect = facts.found.checkout.referencesTried < mostReferences
  return html`${condition}${shared(html`<section class="card"><h1>${words.looking}</h1><div class="wait" aria-hidden="true"><i></i></div>`)}<p>${sentence(words.lookingLong, { reference })}</p>${
    facts.usualWait_ms !== undefined &&
    html`<p class="quiet">${sentence(words.usually, { time: waitText(facts.usualWait_ms, words) })}</p>`
  }<p><a class="button plain" href="${pageUrl(facts)}">${words.refresh}</a></p>${
    mayCorrect &&
    html`<details${facts.error !== undefined && new Html(' open')}><summary>${words.correct}</summary>${referenceForm(facts, words)}</details>`
  }</section>`
}

const confirmCard = (
  facts: PageFacts,
  words: PageWords,
  { reference, amount }: NonNullable<PageFacts['confirm']>,
): Html => {
  const expected = facts.view.kind === 'pay' || facts.view.kind === 'looking' ? facts.view.intent.payable : undefined
  const amountNote: Part =
    amount === undefined
      ? undefined
      : expected !== undefined && expected !== amount
        ? note(sentence(words.confirmOther, { amount: money(amount, words), asked: money(expected, words) }))
        : html`<p>${sentence(words.confirmAmount, { amount: money(amount, words) })}</p>`
  return html`<section class="card"><h1>${words.confirm}</h1><p class="quiet">${words.confirmHint}</p><p class="amount"><bdi>${reference}</bdi></p>${amountNote}${form(
    facts,
    'reference/',
    html`<input type="hidden" name="reference" value="${reference}"><button>${words.confirmYes}</button>`,
  )}<p></p><p><a class="button plain" href="${pageUrl(facts)}">${words.confirmNo}</a></p></section>`
}

const wrongCard = (facts: PageFacts, words: PageWords, view: Extract<PageView, { kind: 'wrong' }>): Html => {
  const less = view.missing > 0n
  const values = {
    arrived: money(view.arrived, words),
    asked: money(view.intent.payable, words),
    rest: money(less ? view.missing : minor(-view.missing), words),
  }
  return html`<section class="card"><h1>${words.wrong}</h1><p>${sentence(less ? words.wrongLess : words.wrongMore, values)}</p><p>${words.wrongSafe}</p>${
    view.rest !== undefined &&
    form(facts, 'rest/', html`<button>${sentence(words.payRest, { rest: money(view.rest.rest, words) })}</button>`)
  }${
    view.mayBegin &&
    html`<details><summary>${words.typedWrong}</summary><p>${words.typedWrongLong}</p><p><a class="button plain" href="${pageUrl(facts)}&amp;change=1">${words.startAgain}</a></p></details>`
  }</section>`
}

const endedCard = (title: string, words: PageWords): Html =>
  html`<section class="card"><h1>${title}</h1><p>${words.notLost}</p></section>`

const chooseAgain = (facts: PageFacts, words: PageWords): Html => {
  const open = facts.view.kind === 'pay' ? facts.wallet : undefined
  return html`${head(facts, words)}${note(words.alreadySent)}${chooser(facts, words)}${
    open !== undefined && html`<p><a href="${pageUrl(facts)}">${sentence(words.keep, { wallet: open.name })}</a></p>`
  }`
}

/** Advice after a try that ended. A reference can be sent again in the next try; a payment by unique amount has none. */
const sentAdvice = ({ found }: PageFacts, words: PageWords): string => {
  const last = found.intents.at(-1)
  return last !== undefined && last.payable !== last.base ? words.notLost : words.endedSent
}

const testNote = ({ isTest }: CheckoutIntent, words: PageWords): Part => isTest && note(html`<b>${words.testPay}</b>`)

const bodyOf = (facts: PageFacts, words: PageWords): Html => {
  const { view } = facts
  if (facts.confirm !== undefined) return html`${head(facts, words)}${confirmCard(facts, words, facts.confirm)}`
  const mayChoose = view.kind === 'pay' || (view.kind === 'wrong' && view.mayBegin)
  if (facts.choosing && mayChoose) return chooseAgain(facts, words)
  switch (view.kind) {
    case 'choose':
      return html`${head(facts, words)}${
        view.before !== undefined &&
        note(
          html`<b>${view.before === 'expired' ? words.ended : words.cancelled}</b><br>${sentAdvice(facts, words)} ${words.again}`,
        )
      }${chooser(facts, words)}`
    case 'pay':
      return html`${head(facts, words)}${testNote(view.intent, words)}${payCard(facts, words, view.intent)}`
    case 'looking':
      return html`${head(facts, words)}${testNote(view.intent, words)}${lookingCard(facts, words, view.intent.reference)}`
    case 'wrong':
      return html`${head(facts, words)}${wrongCard(facts, words, view)}`
    case 'paid':
      return receiptCard(facts.found, facts.zone, words, view.returns, shareAddress(facts.path))
    case 'expired':
      return html`${head(facts, words)}${endedCard(words.expired, words)}`
    case 'cancelled':
      return html`${head(facts, words)}${endedCard(words.cancelled, words)}`
  }
}

/** Where the buyer shares a voucher (http/voucher): the token of the page is in the address. */
const shareAddress = (path: string): string => path.replace(/^\/pay/, '/voucher/of')

/** `{time}`: when the checkout ended. */
const errorText = ({ found, zone, now }: PageFacts, words: PageWords, error: PageError): Part =>
  sentence(words[error], { time: soonText(found.checkout.expiresAt, zone, now) })

/** When the buyer can do nothing more on this page: the end that its countdown shows. */
const deadlineOf = (facts: PageFacts): Instant | undefined => {
  const { view } = facts
  if (view.kind === 'pay' || view.kind === 'looking') return view.intent.expiresAt
  const mayGoOn = view.kind === 'choose' || (view.kind === 'wrong' && view.mayBegin)
  return mayGoOn ? facts.found.checkout.expiresAt : undefined
}

const footOf = (facts: PageFacts, words: PageWords): Html => {
  const { checkout, intents } = facts.found
  const code = intents.at(-1)?.code
  const deadline = deadlineOf(facts)
  const { kind } = facts.view
  return html`${
    deadline !== undefined &&
    html`<p data-left="${deadline - facts.now}" data-words="${words.left}">${sentence(words.until, { time: soonText(deadline, facts.zone, facts.now) })}</p>`
  }${helpOf(facts.shop, words, [checkout.externalOrderId], code)}${
    checkout.cancelUrl !== '' &&
    kind !== 'paid' &&
    html`<p><a target="_top" href="${withCheckout(checkout.cancelUrl, checkout.id)}">${kind === 'looking' ? words.back : words.backUnpaid}</a></p>`
  }`
}

/** Without the script, a page on which the buyer only waits is loaded again after this many seconds. */
const refreshOf = (facts: PageFacts): number | undefined => {
  const { view, wallet, choosing, confirm } = facts
  const waits =
    view.kind === 'looking' ||
    (view.kind === 'pay' && wallet !== undefined && isUnique(wallet, view.intent) && !choosing)
  return waits && !isTyping(facts) && confirm === undefined ? 15 : undefined
}

export const checkoutPage = (facts: PageFacts): PageText => {
  const words = wordsFor(facts.locale, facts.shop, facts.found.checkout.currency)
  const { checkout } = facts.found
  const { view } = facts
  const isOver = view.kind === 'paid' || view.kind === 'expired' || view.kind === 'cancelled'
  const returns = view.kind === 'paid' && view.returns
  return document({
    locale: facts.locale,
    title: words.title.replace('{shop}', () => facts.shop.name),
    otherLanguage: `${facts.path}?lang=${facts.locale === 'ar' ? 'en' : 'ar'}${facts.kept}`,
    shop: facts.shop.name,
    color: facts.shop.color,
    logo: facts.shop.logo,
    url: pageUrl(facts),
    state: pageKey(facts.found, facts.condition, facts.now),
    ...(isOver || facts.confirm !== undefined ? {} : { live: facts.path }),
    back: returns ? withCheckout(checkout.returnUrl, checkout.id) : undefined,
    frameOrigins: facts.shop.frameOrigins,
    refresh_s: refreshOf(facts),
    body: html`${
      facts.error !== undefined && html`<p class="error" role="alert">${errorText(facts, words, facts.error)}</p>`
    }${claimNote(facts, words)}${bodyOf(facts, words)}`,
    foot: footOf(facts, words),
  })
}

/** A page with one message: the link is unknown, the shop is closed, too many requests, or a fault. */
export const noticePage = (locale: 'ar' | 'en', kind: 'unknown' | 'busy' | 'fault' | 'closed', shop = ''): PageText => {
  const words = wordsOfNotice(locale)
  return document({
    locale,
    title: words[kind],
    otherLanguage: undefined,
    shop,
    body: html`<section class="card"><h1>${words[kind]}</h1><p>${words[`${kind}Long`]}</p></section>`,
  })
}
