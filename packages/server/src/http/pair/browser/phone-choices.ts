/**
 * The second part of the set-up page's script: what the page shows for the maker of this phone (battery) and for its Android (what to know before the
 * download). Both are chosen by what the browser says, and can be changed by the user.
 */
import type { PageData } from './setup-answers.ts'

type UserAgentFacts = { readonly model?: string; readonly platform?: string; readonly platformVersion?: string }
type UserAgentData = { getHighEntropyValues(hints: readonly string[]): Promise<UserAgentFacts> }

const { makers }: PageData = JSON.parse(document.querySelector('#data')!.textContent)
const maker = document.querySelector<HTMLSelectElement>('#maker')!
const android = document.querySelector<HTMLSelectElement>('#android')!

const showParts = (selector: string, isShown: (part: HTMLElement) => boolean): void => {
  for (const part of document.querySelectorAll<HTMLElement>(selector)) part.hidden = !isShown(part)
}
const showMaker = (): void => showParts('[data-maker]', (part) => part.dataset.maker === maker.value)
/** While the Android is not known, every warning is shown. */
const showAndroid = (): void =>
  showParts('[data-android]', (part) => android.value === '' || Number(part.dataset.android) <= Number(android.value))
maker.onchange = showMaker
android.onchange = showAndroid

/** What the browser says about this phone. Only some browsers have this interface. */
const userAgentFacts = async (): Promise<UserAgentFacts> => {
  const { userAgentData } = navigator as Navigator & { readonly userAgentData?: UserAgentData }
  const hints = ['model', 'platform', 'platformVersion']
  return (await userAgentData?.getHighEntropyValues(hints).catch(() => undefined)) ?? {}
}

void userAgentFacts().then(({ model = '', platform, platformVersion }) => {
  const agent = `${model} ${navigator.userAgent}`.toUpperCase()
  const found = makers.find(([, models]) => new RegExp(models).test(agent))
  maker.value = found === undefined ? 'other' : found[0]
  showMaker()
  // Chrome writes `Android 10; K` for every version: then the user chooses.
  const written = /Android (\d+)(?!\d*; K\b)/.exec(navigator.userAgent)?.[1]
  const version = Number.parseInt((platform === 'Android' && platformVersion) || written || '0', 10)
  const groups = [...android.options].filter(({ value }) => value !== '' && Number(value) <= version)
  if (version > 0) android.value = groups.pop()!.value
  showAndroid()
})
