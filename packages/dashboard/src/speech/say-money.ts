/**
 * Says aloud which money has arrived: a chime, then the sentence, by the machine's voice if it has a good one, else by the clips,
 * else the chime alone. With the clips the payer's name is left out.
 */
import { currentTime } from '../parts/format/clock.ts'
import type { Language } from '../words/catalogue.ts'
import { chime, chime_ms, openAudio, whenAudioRuns } from './audio.ts'
import type { Clips } from './load-clips.ts'
import { openMoneyQueue } from './money-queue.ts'
import { moneyClips, moneyText, type SpokenMoney } from './money-sentence.ts'
import { goodVoice, speak } from './system-voice.ts'

const loaded = new Map<Language, Promise<Clips>>()

const clipsOf = (language: Language): Promise<Clips> => {
  const earlier = loaded.get(language)
  if (earlier !== undefined) return earlier
  const clips = import('./load-clips.ts').then(({ loadClips }) => loadClips(language))
  loaded.set(language, clips)
  // Without a network it fails: the next sentence tries again.
  clips.catch(() => loaded.delete(language))
  return clips
}

/** Makes ready what says the sentences. False: there is only the chime. */
export const prepareSpeech = async (language: Language): Promise<boolean> => {
  if (goodVoice(language) !== undefined) return true
  if (openAudio() === undefined) return false
  return clipsOf(language).then(
    () => true,
    () => false,
  )
}

const waitFor = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((done) => {
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      done()
    })
  })

const say = async (money: SpokenMoney, language: Language, signal: AbortSignal): Promise<void> => {
  chime()
  await waitFor(chime_ms, signal)
  const text = moneyText(money, language)
  const clips = moneyClips(money, language)
  if (text === undefined || clips === undefined || signal.aborted) return
  const voice = goodVoice(language)
  if (voice !== undefined && (await speak(text, voice, signal))) return
  const audio = openAudio()
  if (audio === undefined || signal.aborted) return
  const { play } = await clipsOf(language)
  if (!signal.aborted) await play(clips, audio, signal)
}

const queue = openMoneyQueue({ ready: whenAudioRuns, say, now: currentTime })

export const sayMoney = queue.add
export const stopSaying = queue.stop
