/** The bodies of adding and changing a provider. */

import type { ProviderSettings } from '../../../wallets/providers/account-provider.ts'
import type { ProviderChanges } from '../../../wallets/providers/account-providers.ts'
import { choice, type Kind, object, optional, type Reading, readBody, required, text, withDefault } from '../fields.ts'
import type { Json } from '../json.ts'
import { packageNames } from './package-names.ts'

const name = text({ max: 100 })
const displayName = text({ max: 100, blank: true })
const status = choice(['ACTIVE', 'INACTIVE', 'MAINTENANCE'])

const no = (attr: string, detail: string): Reading<never> => ({
  kind: 'no',
  errors: [{ attr, code: 'invalid', detail }],
})

const colour: Kind<string> = (value, attr) => {
  const reading = text({ max: 20 })(value, attr)
  if (reading.kind === 'no') return reading
  const said = reading.value.toUpperCase()
  return /^#[0-9A-F]{6}$/.test(said) ? { kind: 'ok', value: said } : no(attr, 'Write a colour as #RRGGBB.')
}

/** Buyers' browsers load it: nothing but https, and no name or password in it. */
const logo: Kind<string> = (value, attr) => {
  const reading = text({ max: 500, blank: true })(value, attr)
  if (reading.kind === 'no' || reading.value === '') return reading
  const url = URL.parse(reading.value)
  if (url === null || url.protocol !== 'https:' || url.username !== '' || url.password !== '')
    return no(attr, 'Enter an address that begins with https://.')
  return url.href.length <= 500 ? { kind: 'ok', value: url.href } : no(attr, 'This address is too long.')
}

const newProvider = object({
  name: required(name),
  display_name: optional(displayName),
  theme_color: withDefault(colour, '#5C6675'),
  logo_url: withDefault(logo, ''),
  provider_status: withDefault(status, 'ACTIVE'),
  packages: withDefault(packageNames, []),
})

export const readNewProvider = (sent: Json): Reading<ProviderSettings> => {
  const reading = readBody(newProvider, sent)
  if (reading.kind === 'no') return reading
  const said = reading.value
  return {
    kind: 'ok',
    value: {
      name: said.name,
      displayName: said.display_name || said.name,
      themeColor: said.theme_color,
      logoUrl: said.logo_url,
      status: said.provider_status,
      packages: said.packages,
    },
  }
}

const changes = object({
  name: optional(name),
  display_name: optional(text({ max: 100 })),
  theme_color: optional(colour),
  logo_url: optional(logo),
  provider_status: optional(status),
  packages: optional(packageNames),
})

export const readProviderChanges = (sent: Json): Reading<ProviderChanges> => {
  const reading = readBody(changes, sent)
  if (reading.kind === 'no') return reading
  const said = reading.value
  return {
    kind: 'ok',
    value: {
      name: said.name,
      displayName: said.display_name,
      themeColor: said.theme_color,
      logoUrl: said.logo_url,
      status: said.provider_status,
      packages: said.packages,
    },
  }
}
