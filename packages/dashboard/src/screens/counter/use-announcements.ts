/** Announces the money that arrives while the sound is on, each once, in the order in which it arrived. */
import { useEffect, useRef } from 'react'
import { useWords } from '../../words/language.ts'
import { counterWords } from '../../words/screens/counter.ts'
import { spokenAmount, spokenName, toAnnounce } from './announce.ts'
import type { Counter, RollEntry } from './counter-data.ts'
import { changeHeard } from './heard.ts'
import { announce, type Sound } from './sound.ts'

export const useAnnouncements = (counter: Counter | undefined, sound: Sound): void => {
  const { t, language } = useWords(counterWords)
  const wasOn = useRef(sound.isOn)
  useEffect(() => {
    const switchedOn = sound.isOn && !wasOn.current
    wasOn.current = sound.isOn
    // A page whose sound is off leaves the announcement to another page of this device.
    if (counter === undefined || !sound.isOn || (sound.needsTouch && !switchedOn)) return
    const sentence = ({ amount, payer, state }: RollEntry): string => {
      const name = spokenName(payer)
      const values = { amount: spokenAmount(amount), name }
      if (state === 'look') return t('say.look', values)
      return name === '' ? t('say.received', values) : t('say.from', values)
    }
    void changeHeard((heard) => {
      const { announced, ...next } = toAnnounce(heard, { at: counter.at, entries: counter.roll.results })
      // What arrived before the sound was switched on is not read out.
      return { result: switchedOn ? [] : announced, heard: next.heard }
    }).then((entries) => {
      if (entries.length > 0) announce(entries.map(sentence), language)
    })
  }, [counter, sound.isOn, sound.needsTouch, t, language])
}
