/** What voice.test.ts calls inside a page. */
export { openAudio } from '../../src/speech/audio.ts'
export { positions as arabicPositions } from '../../src/speech/clips/ar-positions.ts'
export { positions as englishPositions } from '../../src/speech/clips/en-positions.ts'
export { loadClips } from '../../src/speech/load-clips.ts'
export { moneyClips } from '../../src/speech/money-sentence.ts'
export { sayMoney, stopSaying } from '../../src/speech/say-money.ts'
