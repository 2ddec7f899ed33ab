/** The words around the pages of the guide, in both languages. The pages themselves are in docs/guide. */

export const languages = ['en', 'ar'] as const
export type Language = (typeof languages)[number]

export const guideWords = {
  en: {
    name: 'Sanad guide',
    other: 'العربية',
    skip: 'Skip to the text',
    contents: 'Contents',
    contentsLead: 'Everything that a merchant’s developer needs, from the first payment to going live.',
    allHeadings: 'All headings',
    reference: 'API reference',
    checkouts: 'Checkout API',
    developer: 'Developer API',
    search: 'Search the guide',
    nothing: 'Nothing found. Try another word, or look at all headings.',
    unavailable: 'The search could not be loaded. All headings are under Contents.',
    results: 'Results',
    tabs: 'Programming language',
    copy: 'Copy',
    copied: 'Copied',
    previous: 'Before',
    next: 'Next',
  },
  ar: {
    name: 'دليل سند',
    other: 'English',
    skip: 'إلى النص مباشرة',
    contents: 'المحتويات',
    contentsLead: 'كل ما يحتاجه مبرمج المتجر، من أول عملية دفع إلى التشغيل الفعلي.',
    allHeadings: 'كل العناوين',
    reference: 'مرجع API',
    checkouts: 'مرجع صفحة الدفع',
    developer: 'مرجع أدوات المبرمجين',
    search: 'البحث في الدليل',
    nothing: 'لا توجد نتيجة. جرّب كلمة أخرى، أو تصفّح كل العناوين.',
    unavailable: 'تعذّر تحميل البحث. كل العناوين موجودة في صفحة المحتويات.',
    results: 'النتائج',
    tabs: 'لغة البرمجة',
    copy: 'نسخ',
    copied: 'تم النسخ',
    previous: 'السابق',
    next: 'التالي',
  },
} as const satisfies Record<Language, Record<string, string>>

/** The first of Arabic and English that the browser accepts, else Arabic. */
export const languageOf = (accepted: string): Language => {
  const preferred = accepted.toLowerCase().match(/\b(ar|en)\b/)?.[1]
  return preferred === 'en' ? 'en' : 'ar'
}
