/**
 * The PIN of a cashier: six digits, for a counter of the account alone. Digits may be typed in Arabic. A PIN that many people would
 * choose first is refused: five guesses are allowed before a pause, so the first guesses of a stranger must not be right. Pure.
 */
export const pinLength = 6

/** The digits as 0 to 9; undefined: not exactly six digits. */
export const pinDigits = (typed: string): string | undefined => {
  const digits = typed
    .replaceAll(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x0660))
    .replaceAll(/[۰-۹]/g, (digit) => String(digit.charCodeAt(0) - 0x06f0))
  return /^[0-9]{6}$/.test(digits) ? digits : undefined
}

/** Keys of a phone or a number pad in a line: among the first that anyone tries. */
const keypadLines = ['147258', '258369', '147369', '159357', '357159', '258456', '142536', '147852', '789456', '456123']

/** A part of the PIN, repeated until it is full: 111111, 121212, 123123. */
const repeats = (pin: string): boolean => [1, 2, 3].some((length) => pin.slice(0, length).repeat(6 / length) === pin)

/** Each digit is one more, or one less, than the digit before; after 9 comes 0. */
const climbs = (pin: string): boolean => {
  const steps = [...pin].slice(1).map((digit, i) => (Number(digit) - Number(pin[i]) + 10) % 10)
  return steps.every((step) => step === 1) || steps.every((step) => step === 9)
}

/** Two or three digits, each repeated: 112233, 111222. */
const doubles = (pin: string): boolean => /^(\d)\1(\d)\2(\d)\3$/.test(pin) || /^(\d)\1\1(\d)\2\2$/.test(pin)

/** 123321: the second half is the first one backwards. */
const mirrors = (pin: string): boolean => pin.slice(0, 3) === [...pin.slice(3)].reverse().join('')

export const isTrivialPin = (pin: string): boolean =>
  repeats(pin) || climbs(pin) || doubles(pin) || mirrors(pin) || keypadLines.includes(pin)
