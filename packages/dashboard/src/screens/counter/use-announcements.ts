/** Announces the money that arrives while the sound is on, each once, in the order in which it arrived. */
import { useEffect, useRef } from 'react'
import type { Language } from '../../words/catalogue.ts'
import { spokenName, toAnnounce } from './announce.ts'
import type { Counter } from './counter-data.ts'
import { changeHeard } from './heard.ts'
import { type Sound, sayMoney } from './sound.ts'

export const useAnnouncements = (counter: Counter | undefined, sound: Sound, language: Language): void => {
  const wasOn = useRef(sound.isOn)
  useEffect(() => {
    const switchedOn = sound.isOn && !wasOn.current
    wasOn.current = sound.isOn
    // A page whose sound is off leaves the announcement to another page of this device.
    if (counter === undefined || !sound.isOn || (sound.needsTouch && !switchedOn)) return
    void changeHeard((heard) => {
      const { announced, ...next } = toAnnounce(heard, { at: counter.at, entries: counter.roll.results })
      // What arrived before the sound was switched on is not read out.
      return { result: switchedOn ? [] : announced, heard: next.heard }
    }).then((entries) => {
      const spoken = entries.map(({ amount, currency, payer, state }) => ({
        amount,
        currency,
        payer: spokenName(payer),
        needsLook: state === 'look',
      }))
      sayMoney(spoken, language)
    })
  }, [counter, sound.isOn, sound.needsTouch, language])
}
