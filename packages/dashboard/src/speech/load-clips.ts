/**
 * The recordings of number words: loaded when the sound is switched on and the machine has no good voice, and never before. One
 * MP3 file for each language, which every browser decodes, also on older iPhones.
 */
import type { Language } from '../words/catalogue.ts'
import { type ClipPositions, decoderShift, playedClips } from './clip-positions.ts'

const files: Readonly<
  Record<Language, { readonly url: URL; readonly positions: () => Promise<{ positions: ClipPositions }> }>
> = {
  ar: { url: new URL('./clips/ar.mp3', import.meta.url), positions: () => import('./clips/ar-positions.ts') },
  en: { url: new URL('./clips/en.mp3', import.meta.url), positions: () => import('./clips/en-positions.ts') },
}

/** The rate of the files: 12 MB of memory for Arabic. Decoded at the rate of the machine the clips would take 25 MB. */
const rate = 22_050

export type Clips = {
  /** Plays the clips without overlap. Undefined: one is missing, and nothing is played. */
  readonly play: (names: readonly string[], audio: BaseAudioContext, signal: AbortSignal) => Promise<void> | undefined
}

/** Fails without a network; the next call tries again. */
export const loadClips = async (language: Language): Promise<Clips> => {
  const { url, positions: loadPositions } = files[language]
  const [{ positions }, answer] = await Promise.all([loadPositions(), fetch(url)])
  if (!answer.ok) throw new Error(`The clips were answered with ${answer.status}.`)
  const decoder = new OfflineAudioContext(1, 1, rate)
  const recording = await decoder.decodeAudioData(await answer.arrayBuffer())
  const shift_s = decoderShift(recording.getChannelData(0), recording.sampleRate, positions)
  if (shift_s === undefined) throw new Error('The file of the clips is not the expected one.')

  const play = (names: readonly string[], audio: BaseAudioContext, signal: AbortSignal): Promise<void> | undefined => {
    const played = playedClips(names, positions, shift_s)
    if (played === undefined) return undefined
    // A little later than now: on a slow phone the first clip would otherwise begin late, inside the second one.
    const begin_s = audio.currentTime + 0.05
    const sources = played.map(({ from_s, length_s, at_s }) => {
      const source = audio.createBufferSource()
      source.buffer = recording
      source.connect(audio.destination)
      source.start(begin_s + at_s, from_s, length_s)
      return source
    })
    return new Promise((done) => {
      const stop = (): void => {
        for (const source of sources) source.stop()
        done()
      }
      // If the context is suspended in between, its clock stops too: the rest is played, and ends, when it runs again.
      const last = sources.at(-1)
      if (last === undefined || signal.aborted) return stop()
      signal.addEventListener('abort', stop, { once: true })
      last.onended = () => {
        signal.removeEventListener('abort', stop)
        done()
      }
    })
  }
  return { play }
}
