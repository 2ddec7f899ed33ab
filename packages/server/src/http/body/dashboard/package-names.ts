/** The Android packages of a provider's app, in the bodies of adding and changing one. Each once. */
import { isPackageName, longestPackage, mostPackages } from '../../../wallets/providers/provider-packages.ts'
import { type Kind, list, text } from '../fields.ts'

const packageName: Kind<string> = (value, attr) => {
  const reading = text({ max: longestPackage })(value, attr)
  if (reading.kind === 'no' || isPackageName(reading.value)) return reading
  const detail = 'Write a package name, such as com.example.wallet.'
  return { kind: 'no', errors: [{ attr, code: 'invalid', detail }] }
}

export const packageNames: Kind<string[]> = (value, attr) => {
  const reading = list(packageName, { max: mostPackages })(value, attr)
  return reading.kind === 'no' ? reading : { kind: 'ok', value: [...new Set(reading.value)] }
}
