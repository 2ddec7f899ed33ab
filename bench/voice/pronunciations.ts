/**
 * How eSpeak NG is told to pronounce each Arabic clip, in its own phonemes (`'` before the stressed vowel, `T` th in "three", `X` kh,
 * `A` ayn, `H` a strong h, `S` sh, `s[` sad, `?` a stop). Its rules for Arabic spelling put the stress on the wrong syllable of many
 * numbers and misread مئة, ستة and ملايين.
 */
const words: Readonly<Record<string, string>> = {
  وصل: "w'as[al",
  'يحتاج مراجعة': "jaHt'a:dZ muR'a:dZaAa",
  صفر: "s['ifR",
  واحد: "w'a:Hid",
  اثنان: "?iTn'a:n",
  // After another word the first vowel is not pronounced.
  واثنان: "waTn'a:n",
  ثلاثة: "Tal'a:Ta",
  أربعة: "?'aRbaAa",
  خمسة: "X'amsa",
  ستة: "s'itta",
  سبعة: "s'abAa",
  ثمانية: "Tam'a:nija",
  تسعة: "t'isAa",
  ثلاثةُ: "Tal'a:Tatu",
  أربعةُ: "?aRb'aAatu",
  خمسةُ: "X'amsatu",
  ستةُ: "s'ittatu",
  سبعةُ: "s'abAatu",
  ثمانيةُ: "Tama:n'ijatu",
  تسعةُ: "t'isAatu",
  عشرةُ: "A'aSaRatu",
  'أحد عشر': "?'aHada A'aSaRa",
  'اثنا عشر': "?'iTna: A'aSaRa",
  'واثنا عشر': "waTn'a: A'aSaRa",
  'ثلاثة عشر': "Tal'a:Tata A'aSaRa",
  'أربعة عشر': "?aRb'aAata A'aSaRa",
  'خمسة عشر': "X'amsata A'aSaRa",
  'ستة عشر': "s'ittata A'aSaRa",
  'سبعة عشر': "s'abAata A'aSaRa",
  'ثمانية عشر': "Tama:n'ijata A'aSaRa",
  'تسعة عشر': "t'isAata A'aSaRa",
  عشرون: "AiSR'u:na",
  ثلاثون: "Tala:T'u:na",
  أربعون: "?aRbaA'u:na",
  خمسون: "Xams'u:na",
  ستون: "sitt'u:na",
  سبعون: "sabA'u:na",
  ثمانون: "Tama:n'u:na",
  تسعون: "tisA'u:na",
  مئة: "m'i?a",
  مئةُ: "m'i?atu",
  مئتان: "mi?at'a:n",
  مئتا: "mi?at'a:",
  ثلاثمئة: "Tala:Tum'i?a",
  أربعمئة: "?aRbaAum'i?a",
  خمسمئة: "Xamsum'i?a",
  ستمئة: "sittum'i?a",
  سبعمئة: "sabAum'i?a",
  ثمانمئة: "Tama:nim'i?a",
  تسعمئة: "tisAum'i?a",
  ألف: "?'alf",
  ألفان: "?alf'a:n",
  ألفا: "?alf'a:",
  آلاف: "?a:l'a:f",
  ألفًا: "?'alfan",
  مليون: "milj'u:n",
  مليونان: "milju:n'a:n",
  مليونا: "milju:n'a:",
  ملايين: "mala:j'i:n",
  مليونًا: "milj'u:nan",
  مليار: "milj'a:R",
  ملياران: "milja:R'a:n",
  مليارا: "milja:R'a:",
  مليارات: "milja:R'a:t",
  مليارًا: "milj'a:Ran",
  ريال: "Rij'a:l",
  ريالان: "Rija:l'a:n",
  ريالات: "Rija:l'a:t",
  ريالًا: "Rij'a:lan",
  فلس: "f'ils",
  فلسان: "fils'a:n",
  فلوس: "ful'u:s",
  فلسًا: "f'ilsan",
}

/** Phonemes of a clip; undefined: none are written for it. */
export const arabicPhonemes = (clip: string): string | undefined => {
  if (Object.hasOwn(words, clip)) return words[clip]
  // خمسمئةِ: the same word before a noun.
  if (clip.endsWith('مئةِ')) {
    const alone = arabicPhonemes(clip.slice(0, -1))
    return alone && `${alone}ti`
  }
  if (!clip.startsWith('و')) return undefined
  const joined = arabicPhonemes(clip.slice(1))
  return joined && `wa${joined}`
}
