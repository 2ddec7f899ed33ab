/** Whether this device makes sounds: one switch, on the counter, remembered by the browser. Off until a person switches it on. */
import { readPreference, savePreference } from '../words/preferences.ts'

const preference = 'counter-sound'

export const isSoundOn = (): boolean => readPreference(preference) === 'on'
export const saveSound = (on: boolean): void => savePreference(preference, on ? 'on' : 'off')
