/**
 * The sound of the counter: a chime made by WebAudio, and the amount said by a voice of the machine or by clips (speech/).
 * Browsers allow sound only after the page was touched. While the sound is on, the screen is kept awake if the browser can
 * do that. Nothing here throws: a browser without sound still shows every payment.
 */
import { useCallback, useEffect, useState } from 'react'
import { chime, openAudio } from '../../speech/audio.ts'
import type { SpokenMoney } from '../../speech/money-sentence.ts'
import { isSoundOn, saveSound } from '../../speech/sound-switch.ts'
import type { Language } from '../../words/catalogue.ts'

/** Loaded when the sound is switched on. */
const loadSpeech = () => import('../../speech/say-money.ts')

/** Says which money has arrived, each once, in order, never two at once (speech/money-queue.ts). */
export const sayMoney = (payments: readonly SpokenMoney[], language: Language): void => {
  if (payments.length === 0) return
  void loadSpeech().then(
    (speech) => speech.sayMoney(payments, language),
    // Not loaded: the chime is left.
    chime,
  )
}

/** How long the clips wait for the machine's own voices: if it has a good one, they are not needed. */
const voiceList_ms = 1_000

export type Sound = {
  readonly isOn: boolean
  /** It is on, but the browser waits for a touch. */
  readonly needsTouch: boolean
  readonly hasVoice: boolean
  readonly switchTo: (on: boolean) => void
}

export const useSound = (language: Language): Sound => {
  const [isOn, setOn] = useState(isSoundOn)
  const [needsTouch, setNeedsTouch] = useState(false)
  const [hasVoice, setHasVoice] = useState(false)

  // The clips are loaded only here, while the sound is on.
  useEffect(() => {
    if (!isOn) return undefined
    let ended = false
    const prepare = async (): Promise<void> => {
      const isPrepared = await loadSpeech().then(
        (speech) => speech.prepareSpeech(language),
        () => false,
      )
      if (!ended) setHasVoice(isPrepared)
    }
    // The list of voices is loaded after the page, in some browsers never with an event.
    const timer = setTimeout(() => void prepare(), voiceList_ms)
    const voices = globalThis.speechSynthesis
    const onVoices = (): void => void prepare()
    voices?.addEventListener?.('voiceschanged', onVoices)
    return () => {
      ended = true
      clearTimeout(timer)
      voices?.removeEventListener?.('voiceschanged', onVoices)
    }
  }, [isOn, language])

  // If the sound was on at the last visit, the first touch of the page allows it.
  useEffect(() => {
    if (!isOn) {
      setNeedsTouch(false)
      return undefined
    }
    const audio = openAudio()
    const update = (): void => setNeedsTouch(audio !== undefined && audio.state !== 'running')
    const resume = (): void => void audio?.resume().then(update, () => {})
    update()
    resume()
    window.addEventListener('pointerdown', resume)
    window.addEventListener('keydown', resume)
    // iOS interrupts the sound when the page is left or a call comes in.
    document.addEventListener('visibilitychange', resume)
    audio?.addEventListener?.('statechange', update)
    return () => {
      document.removeEventListener('visibilitychange', resume)
      audio?.removeEventListener?.('statechange', update)
      window.removeEventListener('pointerdown', resume)
      window.removeEventListener('keydown', resume)
    }
  }, [isOn])

  useScreenAwake(isOn)

  const switchTo = useCallback((on: boolean): void => {
    saveSound(on)
    setOn(on)
    // Must run inside the touch handler: only then does the browser allow sound.
    if (on)
      void openAudio()
        ?.resume()
        .then(chime, () => {})
    else {
      void loadSpeech().then(
        (speech) => speech.stopSaying(),
        () => {},
      )
      globalThis.speechSynthesis?.cancel()
    }
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
