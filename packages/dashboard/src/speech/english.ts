/** Amounts in English words, as a list: each element is spoken by one clip. Pure. */
const small = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
  'thirteen',
  'fourteen',
  'fifteen',
  'sixteen',
  'seventeen',
  'eighteen',
  'nineteen',
]
const tens = ['twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety']
const scales = ['thousand', 'million', 'billion']

const belowThousand = (count: number): string[] => {
  const words: string[] = []
  if (count >= 100) words.push(small[Math.floor(count / 100)]!, 'hundred')
  const rest = count % 100
  if (rest >= 20) words.push(tens[Math.floor(rest / 10) - 2]!)
  const last = rest >= 20 ? rest % 10 : rest
  if (last > 0) words.push(small[last]!)
  return words
}

/** 0 to 999,999,999,999. */
export const englishNumber = (count: number): string[] => {
  if (count === 0) return [small[0]!]
  const words: string[] = []
  for (let power = scales.length; power >= 1; power -= 1) {
    const group = Math.floor(count / 1000 ** power) % 1000
    if (group > 0) words.push(...belowThousand(group), scales[power - 1]!)
  }
  return [...words, ...belowThousand(count % 1000)]
}

const riyals = (count: number): string[] => [...englishNumber(count), count === 1 ? 'riyal' : 'riyals']

/** An amount of riyals and fils (hundredths). The plural of fils is fils. */
export const englishAmount = (whole: number, hundredths: number): string[] => {
  if (hundredths === 0) return riyals(whole)
  const fils = [...englishNumber(hundredths), 'fils']
  return whole === 0 ? fils : [...riyals(whole), 'and', ...fils]
}

export const englishReceived = 'received'
export const englishFrom = 'from'
export const englishLook = 'needs a look'
