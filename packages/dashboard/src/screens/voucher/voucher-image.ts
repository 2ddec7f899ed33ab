/** Shares a voucher as a picture that is drawn on this device, by the script that the public page has too. */
import type { VoucherFacts } from './voucher-facts.ts'

export type Sharing = 'shared' | 'saved' | 'cancelled' | 'failed'

type Picture = {
  readonly dir: 'ltr' | 'rtl'
  readonly shop: string
  readonly state: string
  readonly tone: VoucherFacts['tone']
  readonly amount: string
  readonly decimals: string
  readonly currency: string
  readonly stamp: string
  readonly rows: VoucherFacts['rows']
  readonly note: string
  readonly url: string
  readonly font: string
  readonly edge: string
}
type Drawer = (picture: Picture, name: string, done: (how: Sharing) => void) => void

declare global {
  interface Window {
    drawVoucher?: Drawer
  }
}

/** Loads the script once; a failed load is tried again. */
const loadDrawer = (): Promise<Drawer | undefined> =>
  new Promise((resolve) => {
    if (window.drawVoucher !== undefined) return resolve(window.drawVoucher)
    const script = document.createElement('script')
    script.src = '/voucher/image.js'
    script.onload = () => resolve(window.drawVoucher)
    script.onerror = () => {
      script.remove()
      resolve(undefined)
    }
    document.head.append(script)
  })

export const shareImage = async (
  facts: VoucherFacts,
  rest: {
    readonly shop: string
    readonly note: string
    readonly url: string
    readonly edge: string
    readonly name: string
  },
): Promise<Sharing> => {
  const draw = await loadDrawer()
  if (draw === undefined) return 'failed'
  const { name, ...shown } = rest
  const picture = {
    ...shown,
    dir: document.documentElement.dir === 'rtl' ? ('rtl' as const) : ('ltr' as const),
    state: facts.state,
    tone: facts.tone,
    amount: facts.amount?.whole ?? '',
    decimals: facts.amount?.decimals ?? '',
    currency: facts.amount?.currency ?? '',
    stamp: facts.stamp,
    rows: facts.rows,
    font: getComputedStyle(document.body).fontFamily,
  }
  return new Promise((resolve) => draw(picture, name, resolve))
}
