/**
 * Where each clip is in the file of a language, and when each one is played in a sentence: one after the other, never two at once.
 * Pure.
 */
export type ClipPositions = {
  /** Where the file has a short tone. Decoders of MP3 add up to 80 ms at the beginning: the tone tells how much. */
  readonly marker_ms: number
  readonly clips: Readonly<Record<string, readonly [start_ms: number, length_ms: number]>>
}

/** A part of the file (`from_s`, `length_s`) and when it begins (`at_s`, from the beginning of the sentence). */
export type PlayedClip = { readonly from_s: number; readonly length_s: number; readonly at_s: number }

const pause_s = 0.03

/** Undefined: a clip is missing, and half a sentence would say another amount. */
export const playedClips = (
  names: readonly string[],
  { clips }: ClipPositions,
  shift_s: number,
): PlayedClip[] | undefined => {
  const played: PlayedClip[] = []
  let at_s = 0
  for (const name of names) {
    if (!Object.hasOwn(clips, name)) return undefined
    const [start_ms, length_ms] = clips[name]!
    played.push({ from_s: start_ms / 1000 + shift_s, length_s: length_ms / 1000, at_s })
    at_s += length_ms / 1000 + pause_s
  }
  return played
}

const loud = 0.1

/** How much later the tone is in the decoded file than where it was written. Undefined: there is no tone, so no such file. */
export const decoderShift = (samples: Float32Array, rate: number, { marker_ms }: ClipPositions): number | undefined => {
  const first = samples.findIndex((sample) => Math.abs(sample) > loud)
  const shift_s = first / rate - marker_ms / 1000
  return first < 0 || Math.abs(shift_s) > 0.12 ? undefined : shift_s
}
