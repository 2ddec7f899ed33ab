/**
 * The spoken amounts in a real browser: every clip is decoded and is not silent, sentences play their clips without overlap, and
 * the files are loaded only when the sound is on and the machine has no good voice. Nobody listens here: that a clip is
 * understood is not tested.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import type { Page } from 'playwright-core'
import { rolldown } from 'rolldown'
import { createMembers } from '../../../server/test/support/users.ts'
import { bothLanguages, desktop, eventually, phone as narrow, openDashboard, textPattern } from '../browser.ts'

const source = join(import.meta.dirname, '../../src/speech')

/** The speech alone, as modules of a page: the dashboard's own files give no access to it. */
const bundle = await rolldown({ input: join(import.meta.dirname, 'voice-entry.ts'), logLevel: 'silent' })
const { output } = await bundle.generate({ format: 'esm', chunkFileNames: '[name].js', entryFileNames: '[name].js' })
const scripts = new Map(output.flatMap((part) => (part.type === 'chunk' ? [[part.fileName, part.code] as const] : [])))

const serveSpeech = async (app: FastifyInstance): Promise<void> => {
  app.get('/voice-test', (_, reply) =>
    reply.type('text/html').send('<!doctype html><title>voice</title><main><h1>voice</h1>'),
  )
  app.get<{ Params: { '*': string } }>('/voice-test/*', (request, reply) => {
    const name = request.params['*']
    const recording = /^clips\/(ar|en)\.mp3$/.test(name)
    if (recording) return reply.type('audio/mpeg').send(readFileSync(join(source, name)))
    return reply.type('text/javascript').send(scripts.get(name))
  })
}

const { service, open, openAs, visit } = await openDashboard({}, serveSpeech)
const staff = await createMembers(service)

type Speech = typeof import('./voice-entry.ts')
type Played = { begin_s: number; from_s: number; length_s: number }
type Heard = { speech: Speech; played: Played[]; spoken: string[] }

const currency = 'YER'

/** A page that records what is played. `voice`: whether the machine has an Arabic voice, and what happens when it speaks. */
const openSpeech = async (voice?: { localService: boolean; works: boolean }): Promise<Page> => {
  const page = await open(desktop)
  await page.addInitScript((voice) => {
    const heard = { played: [] as Played[], spoken: [] as string[] }
    Object.assign(globalThis, heard)
    const { start } = AudioBufferSourceNode.prototype
    AudioBufferSourceNode.prototype.start = function (begin_s = 0, from_s = 0, length_s = 0) {
      heard.played.push({ begin_s, from_s, length_s })
      start.call(this, begin_s, from_s, length_s)
    }
    const speech = {
      getVoices: () => (voice === undefined ? [] : [{ lang: 'ar-SA', localService: voice.localService }]),
      speak: (spoken: { text: string; onstart: () => void; onend: () => void; onerror: () => void }) => {
        heard.spoken.push(spoken.text)
        if (!voice?.works) return spoken.onerror()
        spoken.onstart()
        setTimeout(() => spoken.onend(), 20)
      },
      cancel() {},
    }
    Object.defineProperty(globalThis, 'speechSynthesis', { value: speech })
    Object.assign(globalThis, {
      SpeechSynthesisUtterance: class {
        text: string
        constructor(text: string) {
          this.text = text
        }
      },
    })
  }, voice)
  await visit(page, '/voice-test')
  await page.evaluate(
    async (path) => Object.assign(globalThis, { speech: await import(path) }),
    '/voice-test/voice-entry.js',
  )
  return page
}

const say = (page: Page, amounts: readonly string[], language: 'ar' | 'en' = 'ar'): Promise<void> =>
  page.evaluate(
    ([amounts, language, currency]) => {
      const { speech } = globalThis as unknown as Heard
      speech.sayMoney(
        amounts.map((amount) => ({ amount, currency, payer: 'علي' })),
        language,
      )
    },
    [amounts, language, currency] as const,
  )

const playedIn = (page: Page): Promise<Played[]> => page.evaluate(() => (globalThis as unknown as Heard).played)
const spokenIn = (page: Page): Promise<string[]> => page.evaluate(() => (globalThis as unknown as Heard).spoken)

const assertNoOverlap = (played: readonly Played[]): void => {
  for (const [at, { begin_s }] of played.slice(1).entries())
    assert.ok(
      begin_s >= played[at]!.begin_s + played[at]!.length_s,
      `clip ${at + 1} begins before the end of clip ${at}`,
    )
}

test('every clip of both languages is whole, clear of its neighbours, about as loud as the others, and not distorted', async () => {
  const page = await openSpeech()
  for (const language of bothLanguages) {
    const found = await page.evaluate(async (language) => {
      const { speech } = globalThis as unknown as Heard
      const { marker_ms, clips } = language === 'ar' ? speech.arabicPositions : speech.englishPositions
      const file = await (await fetch(`/voice-test/clips/${language}.mp3`)).arrayBuffer()
      const { duration, sampleRate, numberOfChannels, ...recording } = await (async () => {
        const decoded = await new OfflineAudioContext(1, 1, 22_050).decodeAudioData(file)
        const { duration, sampleRate, numberOfChannels } = decoded
        return { duration, sampleRate, numberOfChannels, samples: decoded.getChannelData(0) }
      })()
      const first = recording.samples.findIndex((sample) => Math.abs(sample) > 0.1)
      const shift_ms = (first / sampleRate) * 1000 - marker_ms
      const loudness = (from_ms: number, length_ms: number): number => {
        const from = Math.round(((from_ms + shift_ms) / 1000) * sampleRate)
        const part = recording.samples.subarray(from, from + Math.round((length_ms / 1000) * sampleRate))
        return Math.sqrt(part.reduce((sum, sample) => sum + sample * sample, 0) / part.length)
      }
      /** A clip in parts of ten milliseconds: the loudness of each. */
      const partsOf = (from_ms: number, length_ms: number): number[] =>
        Array.from({ length: Math.floor(length_ms / 10) }, (_, part) => loudness(from_ms + part * 10, 10))
      const spokenIn = (from_ms: number, length_ms: number) => {
        const parts = partsOf(from_ms, length_ms)
        const heard = parts.map((part, at) => ({ part, at })).filter(({ part }) => part > 0.01)
        const power = heard.reduce((sum, { part }) => sum + part * part, 0) / heard.length
        const from = Math.round(((from_ms + shift_ms) / 1000) * sampleRate)
        const samples = recording.samples.subarray(from, from + Math.round((length_ms / 1000) * sampleRate))
        return {
          spoken_dB: 10 * Math.log10(power),
          peak: samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0),
          silentBefore_ms: (heard[0]?.at ?? parts.length) * 10,
          silentAfter_ms: (parts.length - 1 - (heard.at(-1)?.at ?? -1)) * 10,
        }
      }
      const words = Object.entries(clips).map(([name, [start_ms, length_ms]]) => ({
        name,
        length_ms,
        ...spokenIn(start_ms, length_ms),
        whole: loudness(start_ms, length_ms),
        begin: loudness(start_ms, 100),
        end: loudness(start_ms + length_ms - 100, 100),
        before: loudness(start_ms - 100, 80),
      }))
      const last_ms = Math.max(...Object.values(clips).map(([start_ms, length_ms]) => start_ms + length_ms))
      return { duration, numberOfChannels, shift_ms, words, last_ms }
    }, language)
    assert.equal(found.numberOfChannels, 1)
    assert.ok(found.duration * 1000 >= found.last_ms && found.duration * 1000 < found.last_ms + 500)
    assert.ok(Math.abs(found.shift_ms) < 100, String(found.shift_ms))
    for (const { name, whole, begin, end, before } of found.words) {
      assert.ok(whole > 0.03, `${name} is silent: ${whole}`)
      assert.ok(begin > 0.003 && end > 0.003, `${name} is cut or late: ${begin}, ${end}`)
      assert.ok(before < 0.005, `${name} has a part of its neighbour: ${before}`)
    }
    for (const { name, length_ms, peak } of found.words) {
      assert.ok(length_ms > 250 && length_ms < 1_700, `${name} lasts ${length_ms} ms`)
      assert.ok(peak < 0.99, `${name} is distorted: ${peak}`)
    }
    const least = (values: readonly number[]): number => Math.min(...values)
    const most = (values: readonly number[]): number => Math.max(...values)
    const loudness_dB = found.words.map(({ spoken_dB }) => spoken_dB)
    const range_dB = most(loudness_dB) - least(loudness_dB)
    assert.ok(range_dB < 7, `some words are much louder than others: ${range_dB} dB`)
    // The longest silence between two words of any sentence: the end of one, the pause, and the beginning of the next.
    const gap_ms =
      most(found.words.map((word) => word.silentAfter_ms)) + 30 + most(found.words.map((word) => word.silentBefore_ms))
    assert.ok(gap_ms < 300, `a sentence can be silent for ${gap_ms} ms between two words`)
  }
  await page.context().close()
})

test('a sentence rendered to samples is heard in every clip, and ends when its last clip ends', async () => {
  const page = await openSpeech()
  for (const [language, amount] of [
    ['ar', '1500.00'],
    ['ar', '3250.75'],
    ['ar', '999999999999.99'],
    ['en', '1500.00'],
  ] as const) {
    const { samples, names } = await page.evaluate(
      async ([language, amount, currency]) => {
        const { speech } = globalThis as unknown as Heard
        const names = speech.moneyClips({ amount, currency, payer: '' }, language)!
        const clips = await speech.loadClips(language)
        const audio = new OfflineAudioContext(1, 44_100 * 40, 44_100)
        const played = clips.play(names, audio, new AbortController().signal)
        const rendered = await audio.startRendering()
        await played
        const samples = rendered.getChannelData(0)
        const frames = Array.from({ length: samples.length / 441 }, (_, at) =>
          samples.subarray(at * 441, at * 441 + 441).reduce((most, sample) => Math.max(most, Math.abs(sample)), 0),
        )
        return { samples: frames, names: names.length }
      },
      [language, amount, currency] as const,
    )
    const played = (await playedIn(page)).splice(-names)
    assert.equal(played.length, names)
    assertNoOverlap(played)
    for (const [at, { begin_s, length_s }] of played.entries()) {
      const frames = samples.slice(Math.ceil(begin_s * 100), Math.floor((begin_s + length_s) * 100))
      assert.ok(Math.max(...frames) > 0.1, `${amount}: clip ${at} is silent`)
      assert.ok(Math.max(...frames) <= 1, `${amount}: clip ${at} is distorted`)
    }
    const end_s = played.at(-1)!.begin_s + played.at(-1)!.length_s
    assert.ok(Math.max(...samples.slice(Math.ceil(end_s * 100) + 1)) < 0.001, 'silent after the end')
  }
  await page.context().close()
})

test('payments are said one after the other, wait for the first touch, continue after an interruption, and stop', async () => {
  const page = await openSpeech()
  const state = (): Promise<string | undefined> =>
    page.evaluate(() => (globalThis as unknown as Heard).speech.openAudio()?.state)
  // As a phone does before the first touch; the browser of the tests allows sound at once.
  await page.evaluate(async () => {
    const audio = (globalThis as unknown as Heard).speech.openAudio()!
    audio.resume = () => new Promise(() => {})
    await audio.suspend()
  })
  await say(page, ['1.00', '2.00'])
  assert.equal(await state(), 'suspended')
  await page.waitForTimeout(700)
  assert.deepEqual(await playedIn(page), [])
  await page.evaluate(async () => {
    const audio = (globalThis as unknown as Heard).speech.openAudio()!
    audio.resume = AudioContext.prototype.resume
    await audio.resume()
  })
  await eventually(async () => assert.ok((await playedIn(page)).length > 0))
  // As iOS does when a call comes in.
  await page.evaluate(() => (globalThis as unknown as Heard).speech.openAudio()!.suspend())
  assert.equal(await state(), 'suspended')
  assert.equal((await playedIn(page)).length, 3, 'received, riyal, one')
  await page.evaluate(() => (globalThis as unknown as Heard).speech.openAudio()!.resume())
  await eventually(async () => assert.equal((await playedIn(page)).length, 5))
  assertNoOverlap(await playedIn(page))

  await say(page, ['3.00', '4.00', '5.00'])
  await eventually(async () => assert.equal((await playedIn(page)).length, 8))
  await page.evaluate(() => (globalThis as unknown as Heard).speech.stopSaying())
  await say(page, ['21.00'])
  await eventually(async () => assert.equal((await playedIn(page)).length, 12, 'only the one after the stop'))
  await page.context().close()
})

test('a good voice of the machine says the payer’s name and no clip is loaded; one that fails, or is remote, gives way to clips', async () => {
  const requests: string[] = []
  const run = async (voice: { localService: boolean; works: boolean }) => {
    const page = await openSpeech(voice)
    page.on('request', (request) => requests.push(request.url()))
    await page.mouse.click(5, 5)
    await say(page, ['1500.00'])
    return page
  }
  const isClip = (url: string): boolean => url.endsWith('.mp3')

  const good = await run({ localService: true, works: true })
  await eventually(async () => assert.deepEqual(await spokenIn(good), ['وصل ألف وخمسمئة ريال من علي']))
  await say(good, ['2.00'])
  await eventually(async () => assert.equal((await spokenIn(good)).length, 2))
  assert.deepEqual(await playedIn(good), [])
  assert.ok(!requests.some(isClip))
  await good.context().close()

  const failing = await run({ localService: true, works: false })
  await eventually(async () => assert.equal((await playedIn(failing)).length, 4))
  assert.equal((await spokenIn(failing)).length, 1)
  await failing.context().close()

  const remote = await run({ localService: false, works: true })
  await eventually(async () => assert.equal((await playedIn(remote)).length, 4))
  assert.deepEqual(await spokenIn(remote), [])
  await remote.context().close()
})

test('the counter loads the clips of its language when the sound is switched on, and nothing of them before', async () => {
  const page = await openAs(staff.owner, narrow)
  await page.addInitScript(() => {
    const noVoices = { getVoices: () => [], addEventListener() {}, removeEventListener() {}, cancel() {} }
    Object.defineProperty(globalThis, 'speechSynthesis', { value: noVoices })
  })
  const requests: string[] = []
  page.on('request', (request) => requests.push(new URL(request.url()).pathname))
  await visit(page, '/counter')
  await page.waitForLoadState('networkidle')
  const ofSpeech = (): string[] => requests.filter((path) => /\.mp3$|positions|load-clips/.test(path))
  assert.deepEqual(ofSpeech(), [])
  const answered = page.waitForResponse((response) => response.url().endsWith('.mp3'))
  await page.getByRole('button', { name: textPattern('ar', 'counter.sound') }).click()
  const answer = await answered
  assert.equal(answer.status(), 200)
  assert.equal(answer.headers()['content-type'], 'audio/mpeg')
  assert.match(answer.headers()['cache-control'] ?? '', /immutable/)
  await page.getByText(textPattern('ar', 'counter.soundOn')).waitFor()
  const recordings = ofSpeech().filter((path) => path.endsWith('.mp3'))
  assert.equal(recordings.length, 1)
  assert.match(recordings[0]!, /^\/assets\/ar-[\w-]+\.mp3$/)
})
