/**
 * The page's audio context. A browser lets it run only after a touch, and iOS interrupts it (a call, the screen off): sound then
 * waits until it runs again.
 */
let context: AudioContext | undefined

/** Undefined: no sound on this machine. */
export const openAudio = (): AudioContext | undefined => {
  try {
    context ??= new AudioContext()
  } catch {
    // No sound on this machine.
  }
  return context
}

/** Ends when sound can be played, or with the signal. */
export const whenAudioRuns = async (signal: AbortSignal): Promise<void> => {
  const audio = openAudio()
  if (audio === undefined || audio.state === 'running') return
  await new Promise<void>((done) => {
    const check = (): void => {
      if (audio.state !== 'running' && !signal.aborted) return
      audio.removeEventListener('statechange', check)
      signal.removeEventListener('abort', check)
      done()
    }
    audio.addEventListener('statechange', check)
    signal.addEventListener('abort', check)
    // Without a touch it stays suspended: this promise may never be settled.
    audio.resume().then(check, () => {})
  })
}

/** Two rising notes. */
const notes = [
  { hertz: 880, from_s: 0 },
  { hertz: 1318.5, from_s: 0.14 },
] as const
const note_s = 0.35
export const chime_ms = 500

export const chime = (): void => {
  const audio = openAudio()
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

/** The same, when the browser has let the page make sounds; not at all, if nobody has touched the page yet. */
export const chimeSoon = (): void => {
  void openAudio()
    ?.resume()
    .then(chime, () => {})
}
