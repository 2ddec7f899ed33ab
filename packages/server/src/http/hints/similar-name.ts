/** Finds the name that a developer probably meant: another word for the same thing, or a misspelling. Pure. */

/** Words that developers of other APIs use, each with the names here; the first that the call knows counts. */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  order: ['external_order_id'],
  orderid: ['external_order_id'],
  ordernumber: ['external_order_id'],
  orderno: ['external_order_id'],
  orderref: ['external_order_id'],
  orderreference: ['external_order_id'],
  externalid: ['external_order_id'],
  externalorder: ['external_order_id'],
  externalreference: ['external_order_id'],
  merchantorderid: ['external_order_id'],
  merchantreference: ['external_order_id'],
  clientreference: ['external_order_id'],
  clientreferenceid: ['external_order_id'],
  invoice: ['external_order_id'],
  invoiceid: ['external_order_id'],
  invoicenumber: ['external_order_id'],
  ref: ['reference'],
  refno: ['reference'],
  referenceno: ['reference'],
  referencenumber: ['reference'],
  referenceid: ['reference'],
  transaction: ['reference'],
  transactionid: ['reference'],
  transactionreference: ['reference'],
  transactionnumber: ['reference'],
  txn: ['reference'],
  txnid: ['reference'],
  txid: ['reference'],
  trxid: ['reference'],
  walletid: ['wallet', 'wallets'],
  walletuuid: ['wallet', 'wallets'],
  wallet: ['wallets'],
  wallets: ['wallet'],
  walletids: ['wallets', 'wallet'],
  account: ['wallet', 'wallets'],
  accountid: ['wallet', 'wallets'],
  total: ['amount', 'price'],
  totalamount: ['amount'],
  amountdue: ['amount'],
  baseamount: ['amount'],
  payableamount: ['amount'],
  sum: ['amount'],
  value: ['amount'],
  price: ['amount'],
  amount: ['price'],
  unitprice: ['price'],
  unitamount: ['price'],
  cost: ['price'],
  qty: ['quantity'],
  count: ['quantity', 'page_size'],
  title: ['name'],
  product: ['name'],
  productname: ['name'],
  lines: ['items'],
  lineitems: ['items'],
  orderlines: ['items'],
  orderitems: ['items'],
  products: ['items'],
  cart: ['items'],
  note: ['notes', 'description'],
  comment: ['notes', 'description'],
  comments: ['notes', 'description'],
  memo: ['notes', 'description'],
  remark: ['notes', 'description'],
  remarks: ['notes', 'description'],
  description: ['notes'],
  notes: ['description'],
  currencycode: ['currency'],
  callback: ['return_url'],
  callbackurl: ['return_url'],
  redirect: ['return_url'],
  redirecturl: ['return_url'],
  returnto: ['return_url'],
  successurl: ['return_url'],
  backurl: ['cancel_url'],
  failureurl: ['cancel_url'],
  errorurl: ['cancel_url'],
  language: ['locale'],
  lang: ['locale'],
  expiry: ['expires_in'],
  expires: ['expires_in'],
  expiresat: ['expires_in'],
  expiration: ['expires_in'],
  ttl: ['expires_in'],
  lifetime: ['expires_in'],
  buyer: ['customer'],
  customername: ['customer'],
  customerphone: ['customer'],
  payer: ['customer'],
  mobile: ['phone'],
  phonenumber: ['phone'],
  tel: ['phone'],
  fullname: ['name'],
  enabled: ['active'],
  isactive: ['active'],
  minimum: ['min_amount'],
  maximum: ['max_amount'],
  limit: ['page_size'],
  size: ['page_size'],
  perpage: ['page_size'],
  pagesize: ['page_size'],
  pagelimit: ['page_size'],
  take: ['page_size'],
  offset: ['page'],
  skip: ['page'],
  start: ['page'],
  pagenumber: ['page'],
  cursor: ['after', 'page'],
  startingafter: ['after', 'page'],
  since: ['created_after', 'after'],
  from: ['created_after'],
  datefrom: ['created_after'],
  startdate: ['created_after'],
  createdgte: ['created_after'],
  createdfrom: ['created_after'],
  createdat: ['created_after'],
  createdsince: ['created_after'],
  to: ['created_before'],
  until: ['created_before'],
  dateto: ['created_before'],
  enddate: ['created_before'],
  createdlte: ['created_before'],
  createdto: ['created_before'],
  createduntil: ['created_before'],
  sort: ['ordering'],
  sortby: ['ordering'],
  orderby: ['ordering'],
  q: ['search'],
  query: ['search'],
  term: ['search'],
  keyword: ['search'],
  filter: ['search'],
  state: ['status'],
  statuses: ['status'],
  paymentid: ['code'],
  paymentcode: ['code'],
  test: ['include_test'],
  includetests: ['include_test'],
  istest: ['include_test'],
  type: ['event'],
  kind: ['event'],
  eventtype: ['event'],
  name: ['event'],
}

/** `Order-ID`, `orderId` and `order_id` are one word. */
const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')

/** How many letters must be changed, added, left out or swapped with their neighbour to get one word from the other. */
export const distance = (a: string, b: string): number => {
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const next = [row]
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1]
      let least = Math.min(last[column]! + 1, next[column - 1]! + 1, last[column - 1]! + (same ? 0 : 1))
      const isSwapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      if (isSwapped) least = Math.min(least, before[column - 2]! + 1)
      next.push(least)
    }
    before = last
    last = next
  }
  return last[b.length]!
}

const longestCompared = 40

/** How far a misspelling may be: a letter of three, at most two. */
export const isNear = (a: string, b: string): boolean =>
  Math.abs(a.length - b.length) <= 2 && distance(a, b) <= Math.min(2, Math.floor(Math.max(a.length, b.length) / 3))

/** The one of `known` that was probably meant; undefined: none. */
export const similarName = (sent: string, known: readonly string[]): string | undefined => {
  if (sent.length > longestCompared) return undefined
  const word = plain(sent)
  if (word === '') return undefined
  const same = known.find((name) => plain(name) === word)
  if (same !== undefined) return same
  const meant = Object.hasOwn(synonyms, word) ? synonyms[word]!.find((name) => known.includes(name)) : undefined
  if (meant !== undefined) return meant
  const near = known
    .map((name) => ({ name, far: isNear(word, plain(name)) ? distance(word, plain(name)) : 9 }))
    .sort((a, b) => a.far - b.far)[0]
  return near === undefined || near.far === 9 ? undefined : near.name
}
