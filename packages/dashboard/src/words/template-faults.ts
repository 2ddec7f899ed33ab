/**
 * The faults of a template, or of its sentence, in Arabic. The service sends each fault as an English text of a fixed form. A
 * fault that is not known here is shown in English. A test checks this list against the faults that the service produces.
 */
import type { Language } from './language.ts'

const faults: readonly (readonly [RegExp, string])[] = [
  [/^The sentence does not compile, at character (\d+): (.*)$/s, 'الصيغة غير صحيحة عند الحرف $1: $2'],
  [/^The sentence has (\d+) characters; at most (\d+) are allowed\.$/, 'عدد حروف الصيغة $1، والحد $2.'],
  [
    /^A backslash stands only before /,
    'الشرطة المائلة \u2066\\\u2069 لا تأتي إلا قبل \u2066{\u2069 أو \u2066}\u2069 أو شرطة مثلها.',
  ],
  [/^This } closes nothing\./, 'القوس \u2066}\u2069 لا يغلق شيئًا. لكتابة القوس نفسه اكتب \u2066\\}\u2069.'],
  [/^This { is never closed\./, 'القوس \u2066{\u2069 لم يُغلق. لكتابة القوس نفسه اكتب \u2066\\{\u2069.'],
  [
    /^(\{.*\}) is not a slot\./s,
    '$1 ليست خانة. الخانة تُكتب \u2066{name:type}\u2069 مثل \u2066{amount:money}\u2069 بحروف صغيرة.',
  ],
  [/^There is no slot type "(.*)"\. The types are (.*)\.$/s, 'لا يوجد نوع خانة اسمه $1. الأنواع: $2.'],
  [/^(\{.*\}) cannot be of the type (.*); it can be (.*)\.$/, '$1 لا تكون من النوع $2، بل $3.'],
  [/^(\{.*\}) stands twice; each slot may stand once\.$/, '$1 وردت مرتين، وكل خانة ترد مرة واحدة.'],
  [/^There are (\d+) slots; at most (\d+) are allowed\.$/, 'عدد الخانات $1، والحد $2.'],
  [/^There is no \{amount:money\}/, 'لم يُحدَّد المبلغ: رسالة بلا مبلغ لا تثبت شيئًا.'],
  [/^(\{.*\}) and (\{.*\}) touch:/, '$1 و$2 متلاصقتان: ضع كلامًا أو مسافة بينهما.'],
  [/^(\{.*\}) and (\{.*\}) cannot be told apart:/, '$1 و$2 لا يمكن التفريق بينهما: ضع كلامًا بينهما.'],
  [/^The text before (\{.*\}) could be part of its number\.$/, 'ما قبل $1 قد يُعدّ من رقمها.'],
  [/^The text after (\{.*\}) could be part of its number\.$/, 'ما بعد $1 قد يُعدّ من رقمها.'],
  [/^(\{.*\}) has a length; only a reference can have one\.$/, '$1 فيها طول، والطول لرقم العملية فقط.'],
  [/^A reference has (\d+) to (\d+) characters, not (\d+)\.$/, 'عدد حروف رقم العملية من $1 إلى $2، وليس $3.'],
  [
    /^(\{reference.*\}) (?:begins|ends) the sentence, so a cut reference would look whole\./,
    '$1 على طرف الصيغة، ورقم عملية مقطوع سيبدو كاملًا. اكتب طوله مثل \u2066{reference:reference:12}\u2069.',
  ],
  [
    /^(\{.*\}) begins the sentence, so a cut number would look whole\./,
    '$1 في أول الصيغة، ورقم مقطوع سيبدو كاملًا. اكتب الكلام الذي قبله.',
  ],
  [
    /^(\{.*\}) ends the text without two decimals, so a cut number would look whole\./,
    '$1 في آخر الرسالة بلا خانتين بعد الفاصلة، ورقم مقطوع سيبدو كاملًا. حدّده «يتغيّر كل مرة».',
  ],
  [/^\{amount:money\} stands where the text tells the balance\./, 'المبلغ هنا في مكان الرصيد. حدّد المبلغ الواصل نفسه.'],
  [/^\{amount:money\} stands where the text tells the fee\./, 'المبلغ هنا في مكان الرسوم. حدّد المبلغ الواصل نفسه.'],
  [/^The text here has a character that was lost/, 'في النص حرف ضاع في الطريق. انسخه مرة أخرى.'],
  [/^The sentence has hardly any words of its own/, 'كلام الصيغة قليل جدًا: ستطابق رسائل كثيرة أخرى.'],
  [
    /^The sentence is too long for all that its slots leave open/,
    'الصيغة طويلة وخاناتها واسعة: اختصرها أو قلّل الخانات التي تقبل أي كلام.',
  ],
  [/^Two marks overlap\.$/, 'تحديدان متداخلان.'],
  [/^A mark must hold some of the text\.$/, 'يجب أن يكون التحديد على جزء من النص.'],
  [
    /^The sentence could read this text in two ways, or not at all\.$/,
    'قد تُقرأ الرسالة بهذه الصيغة بقراءتين، أو لا تُقرأ.',
  ],
  [/^(\{.*\}) would not read what is marked, but something else\.$/, '$1 لن تقرأ ما حدّدته بل غيره.'],
  [/^"(.*)" is no name of a slot\.$/s, 'ليس اسم خانة: $1.'],
  [/^What is marked is no money\.$/, 'ما حدّدته ليس مبلغًا.'],
  [
    /^What is marked is no reference\.$/,
    'ما حدّدته ليس رقم عملية: رقم العملية أربعة حروف أو أرقام على الأقل، وفيه رقم.',
  ],
  [/^What is marked is no phone\.$/, 'ما حدّدته ليس رقم هاتف.'],
  [/^What is marked is no /, 'ما حدّدته لا يصلح لهذه الخانة.'],
  [/^It has no sender name\.$/, 'بلا اسم مرسل.'],
  [/^It has no sample\.$/, 'بلا مثال يجب أن يُقرأ.'],
  [
    /^It has no counter-sample:/,
    'بلا مثال مضاد: نموذج المبلغ الوارد يحتاج رسالة واحدة على الأقل يجب ألا تُقرأ، كرسالة مبلغ صادر.',
  ],
  [/^Its words do not name its currency: one of (.*)\.$/, 'الصيغة لا تذكر العملة. اكتب إحدى: $1.'],
  [/^It does not read its sample (".*")\.$/s, 'لا يقرأ مثاله $1.'],
  [/^In the sample (".*") (\w+) is (.*), expected (.*)\.$/s, 'في المثال $1 قُرئ $2: $3، والمتوقع: $4.'],
  [/^It reads other money out of the forged (".*")\.$/s, 'يقرأ مبلغًا آخر من الرسالة المزوّرة $1.'],
  [/^It reads another currency as its own: (".*")\.$/s, 'يقرأ عملة أخرى كأنها عملته: $1.'],
  [/^It reads the counter-sample (".*") \((.*)\)\.$/s, 'يقرأ المثال المضاد $1 ($2).'],
  [
    /^In the sample (".*") the reference (.*) looks like a phone number\.$/s,
    'في المثال $1 رقم العملية $2 يشبه رقم هاتف. حدّد رقم العملية نفسه.',
  ],
  [
    /^In the sample (".*") the reference (.*) looks like a date\.$/s,
    'في المثال $1 رقم العملية $2 يشبه تاريخًا. حدّد رقم العملية نفسه.',
  ],
  [
    /^In the sample (".*") the reference (.*) looks like the payer’s number\.$/s,
    'في المثال $1 رقم العملية $2 هو رقم الدافع. حدّد رقم العملية نفسه.',
  ],
  [
    /^In the sample (".*") "(.*)" is no part of a name: such an alert waits for a member\. Mark the name only\.$/s,
    'في المثال $1 كلمة «$2» ليست من اسم الدافع، ورسالة كهذه تنتظر مراجعتك. حدّد الاسم وحده.',
  ],
  [
    /^Two samples of different amounts have the reference (.*): is it an account number\?$/s,
    'مثالان بمبلغين مختلفين فيهما رقم العملية نفسه $1: هل هو رقم حساب؟',
  ],
  [/^In the sample (".*") it takes the balance for the amount\.$/s, 'في المثال $1 يقرأ الرصيد كأنه المبلغ.'],
  [
    /^In the sample (".*") the balance (.*) is less than the amount (.*): are they exchanged\?$/s,
    'في المثال $1 الرصيد $2 أقل من المبلغ $3: هل تبدّلا؟',
  ],
  [
    /^It reads (".*"), a part of a sample, with (\w+) (.*) instead of (.*)\.$/s,
    'من جزء مقطوع من مثال: $1 يقرأ $2: $3 بدل $4.',
  ],
  [
    /^(".*") reads (".*"), a part of a sample, with (\w+) (.*) instead of (.*)\.$/s,
    'النموذج $1 يقرأ من جزء مقطوع من مثال: $2 قيمة $3: $4 بدل $5.',
  ],
  [/^Its samples are too long or too many/, 'أمثلته أطول أو أكثر من أن تُجرَّب كل أجزائها. اختصرها.'],
  [/^It and (".*") read (".*") differently: (.*); (.*)\.$/s, 'هو والنموذج $1 يقرآن $2 بشكلين مختلفين: $3؛ $4.'],
]

const words: Readonly<Record<string, string>> = {
  amount: 'المبلغ',
  reference: 'رقم العملية',
  payer: 'الدافع',
  phone: 'الهاتف',
  balance: 'الرصيد',
  fee: 'الرسوم',
  direction: 'الاتجاه',
  currency: 'العملة',
  credit: 'وارد',
  debit: 'صادر',
  absent: 'لا شيء',
  none: 'لا شيء',
  'never a payment': 'ليست دفعة أبدًا',
}

export const faultText = (fault: string, language: Language): string => {
  if (language !== 'ar') return fault
  for (const [form, arabic] of faults) {
    const match = form.exec(fault)
    if (match === null) continue
    return arabic.replaceAll(/\$(\d)/g, (_, number: string) => {
      const value = match[Number(number)] ?? ''
      // The fault of a sentence is part of the fault of its template.
      return `\u2068${words[value] ?? faultText(value, language)}\u2069`
    })
  }
  return fault
}
