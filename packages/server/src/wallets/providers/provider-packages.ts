/**
 * The Android packages of a provider's app. Any app on the phone can show a notification under any title: only its
 * package proves whose it is. An SMS has no package, only a sender. Pure.
 */

export const longestPackage = 150

/** An Android package name: at least two names joined by a dot, case-sensitive. */
export const isPackageName = (name: string): boolean =>
  name.length <= longestPackage && /^[A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z][A-Za-z0-9_]*)+$/.test(name)

/** Whether a report can come from the provider itself. A notification cannot if the provider's packages are unknown. A report that
 *  names a package is judged by it, also if it says that it is an SMS. */
export const fromProvidersApp = (
  kind: 'sms' | 'notification',
  packageName: string,
  packages: readonly string[],
): boolean => (kind === 'sms' && packageName === '') || packages.includes(packageName)
