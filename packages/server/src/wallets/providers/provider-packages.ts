/**
 * The Android packages of a provider's app. A notification can be shown by any app on the phone, under any title: only its
 * package says whose it is. An SMS has none; its sender is what is known of it. Pure.
 */

export const mostPackages = 20
export const longestPackage = 150

/** As Android has it: at least two names with a point between them. Upper and lower case differ. */
export const isPackageName = (name: string): boolean =>
  name.length <= longestPackage && /^[A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z][A-Za-z0-9_]*)+$/.test(name)

/** Whether a report can be the provider's own word. A notification of a provider whose packages are not known cannot. */
export const fromProvidersApp = (kind: 'sms' | 'notification', name: string, packages: readonly string[]): boolean =>
  kind === 'sms' || packages.includes(name)
