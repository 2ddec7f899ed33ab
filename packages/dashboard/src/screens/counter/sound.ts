/**
 * The sound of the counter: a chime made by WebAudio, and the amount read out if the browser has a voice of the language.
 * Browsers allow sound only after the page was touched. While the sound is on, the screen is kept awake if the browser can
 * do that. Nothing here throws: a browser without sound still shows every payment.
 */
import { useCallback, useEffect, useState } from 'react'
import type { Language } from '../../words/catalogue.ts'
import { readPreference, savePreference } from '../../words/preferences.ts'

let context: AudioContext | undefined

const openContext = (): AudioContext | undefined => {
  try {
    context ??= new AudioContext()
  } catch {
    // No sound on this machine.
  }
  return context
}

/** Two rising notes. */
const notes = [
  { hertz: 880, from_s: 0 },
  { hertz: 1318.5, from_s: 0.14 },
] as const
const note_s = 0.35

const chime = (): void => {
  const audio = openContext()
  if (audio === undefined || audio.state !== 'running') return
  for (const { hertz, from_s } of notes) {
    const tone = audio.createOscillator()
    const volume = audio.createGain()
    const begin = audio.currentTime + from_s
    tone.frequency.value = hertz
    volume.gain.setValueAtTime(0.0001, begin)
    volume.gain.exponentialRampToValueAtTime(0.5, begin + 0.02)
    volume.gain.exponentialRampToValueAtTime(0.0001, begin + note_s)
    tone.connect(volume).connect(audio.destination)
    tone.start(begin)
    tone.stop(begin + note_s)
  }
}

const voiceOf = (language: Language): SpeechSynthesisVoice | undefined =>
  globalThis.speechSynthesis?.getVoices().find(({ lang }) => lang.toLowerCase().split(/[-_]/)[0] === language)

/** Removes the direction marks around values: some voices read them out. */
const plain = (text: string): string => text.replaceAll(/[\u2066-\u2069]/g, '')

/** Plays one chime, then a voice reads the sentences one after the other. */
export const announce = (sentences: readonly string[], language: Language): void => {
  if (sentences.length === 0) return
  chime()
  const voice = voiceOf(language)
  if (voice === undefined) return
  for (const sentence of sentences) {
    const spoken = new SpeechSynthesisUtterance(plain(sentence))
    spoken.voice = voice
    spoken.lang = voice.lang
    globalThis.speechSynthesis.speak(spoken)
  }
}

const preference = 'counter-sound'

export type Sound = {
  readonly isOn: boolean
  /** It is on, but the browser waits for a touch. */
  readonly needsTouch: boolean
  readonly hasVoice: boolean
  readonly switchTo: (on: boolean) => void
}

export const useSound = (language: Language): Sound => {
  const [isOn, setOn] = useState(() => readPreference(preference) === 'on')
  const [needsTouch, setNeedsTouch] = useState(false)
  const [hasVoice, setHasVoice] = useState(false)

  useEffect(() => {
    const update = (): void => setHasVoice(voiceOf(language) !== undefined)
    update()
    // The list of voices is loaded after the page.
    const voices = globalThis.speechSynthesis
    voices?.addEventListener?.('voiceschanged', update)
    return () => voices?.removeEventListener?.('voiceschanged', update)
  }, [language])

  // If the sound was on at the last visit, the first touch of the page allows it.
  useEffect(() => {
    if (!isOn) {
      setNeedsTouch(false)
      return undefined
    }
    const audio = openContext()
    const update = (): void => setNeedsTouch(audio !== undefined && audio.state !== 'running')
    const resume = (): void => void audio?.resume().then(update, () => {})
    update()
    resume()
    window.addEventListener('pointerdown', resume)
    window.addEventListener('keydown', resume)
    return () => {
      window.removeEventListener('pointerdown', resume)
      window.removeEventListener('keydown', resume)
    }
  }, [isOn])

  useScreenAwake(isOn)

  const switchTo = useCallback((on: boolean): void => {
    savePreference(preference, on ? 'on' : 'off')
    setOn(on)
    // Must run inside the touch handler: only then does the browser allow sound.
    if (on)
      void openContext()
        ?.resume()
        .then(chime, () => {})
    else globalThis.speechSynthesis?.cancel()
  }, [])
  return { isOn, needsTouch, hasVoice, switchTo }
}

/** The browser releases the lock when the page is hidden: it is requested again when the page becomes visible. */
const useScreenAwake = (isOn: boolean): void => {
  useEffect(() => {
    if (!isOn || !('wakeLock' in navigator)) return undefined
    let lock: WakeLockSentinel | undefined
    let ended = false
    const requestLock = async (): Promise<void> => {
      if (document.visibilityState !== 'visible') return
      try {
        const granted = await navigator.wakeLock.request('screen')
        if (ended) void granted.release()
        else lock = granted
      } catch {
        // A phone with little power refuses it.
      }
    }
    void requestLock()
    const onVisibility = (): void => void requestLock()
    document.addEventListener('visibilitychange', onVisibility)
    return () => {
      ended = true
      document.removeEventListener('visibilitychange', onVisibility)
      void lock?.release()
    }
  }, [isOn])
}
