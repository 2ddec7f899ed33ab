/**
 * The subscription of this browser to notifications: switches it on and off, and keeps the browser and the service in agreement.
 * The service knows a subscription as a device of one member in one account; this browser remembers whose it is.
 */
import { collectedCurrencies } from '@sanad/contract/currency'
import type { Language } from '../words/catalogue.ts'
import { currencyName } from '../words/format.ts'
import { readPreference, removePreference, savePreference } from '../words/preferences.ts'
import { callWith } from './call.ts'

/**
 * `install`: an iPhone or iPad, where only an app on the home screen can be notified. `insecure`: not https. `refused`: the user
 * refused the permission, and only the browser's settings change that.
 */
export type PushAbility = 'able' | 'install' | 'insecure' | 'unsupported' | 'refused'

const isApple = (): boolean =>
  /iPhone|iPad|iPod/.test(navigator.userAgent) ||
  (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1)

export const pushAbility = (): PushAbility => {
  if (!window.isSecureContext) return 'insecure'
  if ('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window)
    return Notification.permission === 'denied' ? 'refused' : 'able'
  return isApple() ? 'install' : 'unsupported'
}

type Owner = { readonly user: string; readonly account: string }
type Remembered = Owner & { readonly device: string; readonly endpoint: string }

const remembered = (): Remembered | undefined => {
  try {
    return JSON.parse(readPreference('push') ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}

/** The words of notifications are written by the service worker, which reads nothing but this cache. */
export const storeLook = async (language: Language): Promise<void> => {
  const currencies = Object.fromEntries(collectedCurrencies.map((code) => [code, currencyName(code, language)]))
  const look = { language, arabicDigits: language === 'ar' && readPreference('digits') === 'arab', currencies }
  const cache = await caches.open('sanad-notifications')
  await cache.put('/notification-look', new Response(JSON.stringify(look)))
}

const bytesOf = (base64url: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0))

const sameBytes = (one: ArrayBuffer | null | undefined, other: Uint8Array): boolean =>
  one != null && one.byteLength === other.length && new Uint8Array(one).every((byte, i) => byte === other[i])

/** Subscribes this browser; a subscription for another key of the service is replaced. */
const subscription = async (publicKey: string): Promise<PushSubscription> => {
  await navigator.serviceWorker.register('/service-worker.js')
  const { pushManager } = await navigator.serviceWorker.ready
  const applicationServerKey = bytesOf(publicKey)
  const existing = await pushManager.getSubscription()
  if (existing !== null) {
    if (sameBytes(existing.options.applicationServerKey, applicationServerKey)) return existing
    await existing.unsubscribe()
  }
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey })
}

const bodyOf = (subscribed: PushSubscription) => {
  const { endpoint = '', keys } = subscribed.toJSON()
  return { endpoint, keys: { p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' } }
}

/** Tells the service of the subscription, and remembers whose it is. */
const register = async (owner: Owner, publicKey: string): Promise<void> => {
  const subscribed = await subscription(publicKey)
  const body = bodyOf(subscribed)
  const device = await callWith('subscribeDevice', { body }).catch(async (fault) => {
    await subscribed.unsubscribe()
    throw fault
  })
  savePreference('push', JSON.stringify({ ...owner, device: device.id, endpoint: body.endpoint }))
}

/** After a touch of the user: browsers ask for the permission only then. */
export const switchPushOn = async (owner: Owner, publicKey: string, language: Language): Promise<PushAbility> => {
  if ((await Notification.requestPermission()) !== 'granted') return 'refused'
  await storeLook(language)
  await register(owner, publicKey)
  return 'able'
}

/** Nothing more arrives in this browser, whatever the service knows. */
export const forgetPush = async (): Promise<void> => {
  removePreference('push')
  const registration = await navigator.serviceWorker?.getRegistration()
  await (await registration?.pushManager?.getSubscription())?.unsubscribe()
  await caches.delete('sanad-notifications')
}

/** The device of this browser, as the service knows it; undefined: it is not subscribed for this member. */
export const ownDevice = ({ user, account }: Owner): string | undefined => {
  const known = remembered()
  return known?.user === user && known.account === account ? known.device : undefined
}

/**
 * When the dashboard is opened in a browser that was switched on. Another user: the subscription of the earlier one ends here.
 * The same user in a new session: the service is told. The permission was taken back: the service is told that too.
 */
export const agreeOnPush = async (owner: Owner, language: Language): Promise<void> => {
  const known = remembered()
  if (known === undefined) return
  if (known.user !== owner.user) return forgetPush()
  if (known.account !== owner.account) return
  await storeLook(language)
  if (pushAbility() !== 'able' || Notification.permission !== 'granted') {
    await forgetPush()
    await callWith('removeDevice', { path: { id: known.device } }).catch(() => {})
    return
  }
  const { public_key, devices } = await callWith('showNotifications', {})
  const device = devices.find(({ id }) => id === known.device)
  // Removed from another device, or with the session in which it subscribed: it stays off until the next touch.
  if (device === undefined) return forgetPush()
  const registration = await navigator.serviceWorker.getRegistration()
  const subscribed = await registration?.pushManager.getSubscription()
  const isSame = subscribed?.endpoint === known.endpoint
  if (device.current && isSame && sameBytes(subscribed?.options.applicationServerKey, bytesOf(public_key))) return
  await register(owner, public_key)
  // The browser has another address now: the earlier one is dead.
  if (ownDevice(owner) !== known.device) await callWith('removeDevice', { path: { id: known.device } }).catch(() => {})
}
