/**
 * The formats that a schema of a body can have, and the rule of each. A format replaces the reader of the standard
 * keywords, or adds a check after it. The codes and sentences of its errors are written here, or are those
 * of the contract (`known`).
 */
import { emailOf } from '../../accounts/people/email-address.ts'
import { isTestReference } from '../../alerts/shipped/test-payment.ts'
import { urlFault } from '../../checkouts/return-url.ts'
import { readCidr } from '../../core/cidr.ts'
import { isCountry } from '../../core/country.ts'
import { asciiDigits } from '../../core/digits.ts'
import { formatMinor, minor, readDecimal } from '../../core/money.ts'
import { isPlainName } from '../../core/plain-name.ts'
import { zoneOf } from '../../core/zone.ts'
import { isWholePhone } from '../../matching/rules/payer-phone.ts'
import { numberKey } from '../../wallets/identity/account-number.ts'
import { isPackageName } from '../../wallets/providers/provider-packages.ts'
import { type FieldError, inside, NON_FIELD } from './field-error.ts'
import { amount, type Kind, no as known, type Reading, required, text, uuid } from './fields.ts'
import { headerChanges } from './header-changes.ts'
import { instant } from './instant.ts'
import { isObject } from './json.ts'
import { typeName } from './python-value.ts'
import type { Keywords, ReaderSettings } from './schema-keywords.ts'

/** `plain` returns the reader of the standard keywords. */
type Format = (plain: () => Kind<unknown>, schema: Keywords, settings: ReaderSettings) => Kind<unknown>

const no = (attr: string, code: string, detail: string): Reading<never> => ({
  kind: 'no',
  errors: [{ attr, code, detail }],
})

/** Reads a text by its keywords, then checks it. */
const checkedText =
  (check: (text: string, attr: string) => Reading<string>): Format =>
  (plain) => {
    const read = plain() as Kind<string>
    return (value, attr) => {
      const reading = read(value, attr)
      return reading.kind === 'no' ? reading : check(reading.value, attr)
    }
  }

const ok = (value: string): Reading<string> => ({ kind: 'ok', value })

const least = (schema: Keywords) => {
  const reading = readDecimal(schema['x-least'] ?? '0')
  if (reading.kind === 'no') throw new Error(`"${schema['x-least']}" is no amount`)
  return reading.minor
}

/** A name that other users read in emails and on pages. */
const plainName = checkedText((text, attr) =>
  isPlainName(text)
    ? ok(text)
    : no(
        attr,
        'invalid',
        'A name is one line that can be seen, without a link and without marks that change its direction.',
      ),
)

/** A range of addresses, in its normal form. */
const addressRange = checkedText((text, attr) => {
  const range = readCidr(text)
  return typeof range === 'string' ? no(attr, 'invalid', `${range}.`) : ok(range.text)
})

// An offset such as +03:00 is refused: it does not follow changes of the law, as a zone such as Asia/Aden does.
const ZONE_NAME = /^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+)*$/

const isTimeZone = (name: string): boolean => {
  if (!ZONE_NAME.test(name)) return false
  try {
    zoneOf(name)
    return true
  } catch {
    return false
  }
}

/** An address that buyers' browsers load: only https, and without a user name or password. */
const httpsUrl = (written: string, attr: string, longest: number): Reading<string> => {
  const url = URL.parse(written)
  if (url === null || url.protocol !== 'https:' || url.username !== '' || url.password !== '')
    return no(attr, 'invalid', 'Enter an address that begins with https://.')
  return url.href.length <= longest ? ok(url.href) : no(attr, 'invalid', 'This address is too long.')
}

// A phone number. It may have spaces, brackets and a country code.
const PHONE = /^\+?\d[\d ()-]{3,30}$/

/** An object of texts, in the order in which they were sent. White space is part of a name and of a text. */
const textsByName: Format = (_, schema) => {
  const { maxProperties = 0, propertyNames, patternProperties = {} } = schema
  const [value] = Object.values(patternProperties)
  const name = text({ max: propertyNames?.maxLength ?? 0, trim: false })
  const content = required(text({ max: value?.maxLength ?? 0, blank: true, trim: false }))
  return (sent, attr) => {
    const whole = inside(attr, NON_FIELD)
    if (!isObject(sent)) return known(whole, 'not_texts', { type: typeName(sent) })
    if (sent.size > maxProperties) return known(whole, 'too_many', { max: maxProperties })
    const errors: FieldError[] = []
    const read: [string, string][] = []
    for (const [key, member] of sent) {
      const keyReading = name(key, attr)
      const reading = keyReading.kind === 'ok' ? content(member, inside(attr, key)) : keyReading
      if (reading.kind === 'no') errors.push(...reading.errors)
      else read.push([key, reading.value])
    }
    return errors.length === 0 ? { kind: 'ok', value: Object.fromEntries(read) } : { kind: 'no', errors }
  }
}

/** A list in which no phone appears twice. */
const walletPhones: Format = (plain) => {
  const read = plain() as Kind<{ phone: string }[]>
  return (value, attr) => {
    const reading = read(value, attr)
    if (reading.kind === 'no') return reading
    const ids = reading.value.map(({ phone }) => phone)
    const errors: FieldError[] = ids.flatMap((id, index) =>
      ids.indexOf(id) === index
        ? []
        : [
            {
              attr: inside(inside(attr, index), 'phone'),
              code: 'phone_twice',
              detail: 'This phone is in the list already.',
            },
          ],
    )
    return errors.length === 0 ? reading : { kind: 'no', errors }
  }
}

export const formats: Readonly<Record<string, Format>> = {
  uuid: () => uuid(),

  amount: (_, schema) => amount({ min: least(schema) }),

  // An amount that is compared as text, so it always has two decimals.
  'amount-text': () => (value, attr) => {
    const reading = amount({ min: minor(0n) })(value, attr)
    return reading.kind === 'no' ? reading : ok(formatMinor(reading.value))
  },

  'date-time': (_, __, { zone }) => {
    if (zone === undefined) throw new Error('a schema with times needs a zone to be read')
    return instant(zone)
  },

  'header-changes': (_, { maxProperties = 0 }) => headerChanges(maxProperties),

  'texts-by-name': textsByName,

  'wallet-phones': walletPhones,

  // An address of the merchant's shop. Empty: no address.
  uri: (plain, schema, { development = false }) =>
    checkedText((written, attr) => {
      const fault = written === '' ? undefined : urlFault(written, development)
      return fault === undefined ? ok(written) : known(attr, fault)
    })(plain, schema, {}),

  // Empty: not known.
  phone: checkedText((written, attr) =>
    written === '' || PHONE.test(asciiDigits(written)) ? ok(written) : known(attr, 'not_a_phone'),
  ),

  email: checkedText((text, attr) => {
    const address = emailOf(text)
    return address === undefined ? no(attr, 'invalid', 'Enter a valid email address.') : ok(address)
  }),

  cidr: addressRange,
  name: plainName,
  'account-name': plainName,
  'member-name': plainName,
  // Empty: the name of the account.
  'shop-name': plainName,

  // Empty: the zone of the service.
  'time-zone': checkedText((text, attr) =>
    text === '' || isTimeZone(text)
      ? ok(text)
      : no(attr, 'invalid', `"${text}" is no time zone; use an IANA name such as Asia/Aden.`),
  ),

  // Empty: not set.
  country: checkedText((text, attr) =>
    text === '' || isCountry(text)
      ? ok(text)
      : no(attr, 'invalid', `"${text}" is no country; use two letters such as YE.`),
  ),

  'package-name': checkedText((text, attr) =>
    isPackageName(text) ? ok(text) : no(attr, 'invalid', 'Write a package name, such as com.example.wallet.'),
  ),

  // A number without a digit or a letter identifies no wallet.
  'account-number': checkedText((text, attr) => (numberKey(text) === undefined ? known(attr, 'blank') : ok(text))),

  // Empty: not claimed.
  'payer-phone': checkedText((text, attr) =>
    text === '' || isWholePhone(text) ? ok(text) : known(attr, 'not_a_phone'),
  ),

  'test-reference': checkedText((text, attr) =>
    isTestReference(text)
      ? ok(text)
      : no(attr, 'invalid', 'Letters, digits and hyphens, 4 to 64 of them, one digit at least.'),
  ),

  'https-url': (plain, schema) =>
    checkedText((text, attr) => (text === '' ? ok('') : httpsUrl(text, attr, schema.maxLength ?? 0)))(
      plain,
      schema,
      {},
    ),
}
