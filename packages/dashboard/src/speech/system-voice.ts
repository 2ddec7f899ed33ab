/**
 * The voice of the phone or computer. It is used if it is good: made for the language, and on this machine. A voice of a server
 * needs the network for every sentence and is silent without it.
 */
import type { Language } from '../words/catalogue.ts'

export const goodVoice = (language: Language): SpeechSynthesisVoice | undefined =>
  globalThis.speechSynthesis
    ?.getVoices()
    .find(({ lang, localService }) => localService && lang.toLowerCase().split(/[-_]/)[0] === language)

/** A voice that has not begun by then does not work: some phones list voices whose data is not installed. */
const start_ms = 3_000
/** The longest amount and name take about 25 seconds. Some browsers never report the end. */
const longest_ms = 40_000

/** Kept: Chromium forgets a sentence, and never reports its end, if nothing refers to it. */
let current: SpeechSynthesisUtterance | undefined

/** Says the text. False: nothing was said. */
export const speak = (text: string, voice: SpeechSynthesisVoice, signal: AbortSignal): Promise<boolean> =>
  new Promise((done) => {
    const spoken = new SpeechSynthesisUtterance(text)
    current = spoken
    spoken.voice = voice
    spoken.lang = voice.lang
    let hasBegun = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const end = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', cancel)
      if (current === spoken) current = undefined
      done(hasBegun)
    }
    const cancel = (): void => {
      globalThis.speechSynthesis.cancel()
      end()
    }
    spoken.onstart = () => {
      hasBegun = true
      clearTimeout(timer)
      timer = setTimeout(cancel, longest_ms)
    }
    spoken.onend = () => {
      hasBegun = true
      end()
    }
    spoken.onerror = end
    timer = setTimeout(cancel, start_ms)
    signal.addEventListener('abort', cancel)
    globalThis.speechSynthesis.speak(spoken)
  })
