/**
 * Made-up names of payers in Yemen: common parts of names, combined at random. People with two to five parts, with titles, as
 * parents (أبو), in older spellings, cut, masked and with initials, in Latin letters; and companies, shops and offices. The same
 * seed gives the same names.
 */
import { randomOf } from '../../../../bench/harness/random.ts'

const list = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== '')

const men = list(`
  محمد أحمد علي صالح عبدالله حسن حسين يحيى إبراهيم إسماعيل يوسف خالد ناصر سالم سعيد عبده قاسم مقبل مرشد ناجي هادي عوض فرج مبارك مبروك باسم بسام بشير بكيل بلال تركي توفيق تيسير
  ثابت جابر جلال جمال جميل حاتم حازم حافظ حامد حزام حسام حفظ_الله حمدي حمود حمير حميد خليل داود راجح راشد رامي ربيع رداد ردمان رزق رشاد رشيد رضوان رفيق رمزي رياض زايد زكريا زيد زين ساري سامح سامي
  سحبان سرحان سعد سلطان سلمان سليم سليمان سمير سند سنان سهيل سيف شاكر شائع شرف شعبان شكري شهاب شوقي صادق صباح صبري صدام صلاح صقر ضيف_الله طارق طاهر طالب طلال طه عادل عارف عاصم عامر عباس عبدالباسط
  عبدالباقي عبدالجبار عبدالحافظ عبدالحق عبدالحكيم عبدالحميد عبدالخالق عبدالرحمن عبدالرزاق عبدالرقيب عبدالسلام عبدالصمد عبدالعزيز عبدالعليم عبدالغفور عبدالغني عبدالفتاح عبدالقادر عبدالقوي عبدالكريم
  عبداللطيف عبدالمجيد عبدالمعطي عبدالمعيد عبدالملك عبدالناصر عبدالواحد عبدالوارث عبدالودود عبدالولي عبدالوهاب عثمان عدنان عزيز عصام عقيل علوان عمار عمر عمرو عيد عيسى غازي غالب غانم غمدان فارس فاروق فاضل فايز فتحي فضل فكري فهد فهمي فواز فؤاد فيصل
  كامل كرامة كمال لطف لطفي ماجد مازن ماضي مالك ماهر مجاهد مجيب محسن محفوظ محمود مختار مدين مراد مرزوق مرسل مروان مساعد مسعد مسعود مسلم مصطفى مصلح مطهر مطيع معاذ معمر مفيد مقبول منتظر منصور منير مهدي مهيوب موسى نادر ناجح ناصح نافذ نبيل نجيب نشوان نصر نعمان نور_الدين
  هاشم هاني هايل هزاع هشام هلال هيثم واثق وارث واصل وائل وجدي وديع وسام وسيم وضاح وليد ياسر ياسين يسلم يعقوب يونس جمعة خميس رمضان رجب عايد عايض عطية عودة لاحق سابق راتب والي
`)
const women = list(`
  فاطمة عائشة مريم خديجة زينب أمل آلاء أروى أسماء أمة_الرحمن أمة_الله إيمان بشرى بلقيس تغريد تقوى جميلة حنان خولة رجاء رحمة رقية رنا ريم سارة سعاد سلمى سمية سميرة سهام شيماء صباح صفاء
  عبير عفاف غادة فايزة لمياء ليلى ماجدة منال منى ميمونة نادية نجاة نجلاء نجاح ندى نسيم نورة هالة هبة هدى هدية هناء هند وردة وعد وفاء ياسمين يسرى اعتماد انتصار صالحة ثابتة علية عذراء منة تسنيم بخيتة وفية رمزية
`)
const families = list(`
  المثال الحاشدي المقطري الشرعبي الهمداني الخولاني الريمي الصنعاني الآنسي السنيدار الحضرمي اليافعي العولقي الكثيري باوزير باعباد باشراحيل بافضل بامطرف باذيب بازرعة باحميش باسليم بايعشوت بارجاء بن_بريك بن_شملان بن_ماضي بن_طالب
  الشعيبي الردفاني الضالعي الحالمي الصبيحي العدني الجعدي السقاف العطاس الحداد النجار العريقي المخلافي الشرجبي الأغبري الحكيمي القدسي الصبري العبسي الذبحاني الشميري البيحاني الهاشمي لقمان الجفري النقيب
  القاسمي الحمادي السامعي الأصبحي الشيباني العديني اليوسفي النعمان الأكحلي الجبلي الرياشي المعمري البركاني المتوكل الإرياني الزبيري الأهدل الوصابي الكبسي الحيمي الحميري القحطاني النهمي الجنيد الحارثي السعيدي
  العمري الزبيدي العبدلي الكمالي الدبعي الأسودي الجابري الصلوي اليريمي الحوثي الوادعي الأرحبي السنحاني البخيتي الغادر الأحمر الرداعي القيفي المرادي العنسي الحدائي الذماري الإبي التعزي الجوفي المأربي الصعدي
  الحجري الحجوري الشامي الديلمي المؤيد شرف_الدين زبارة الوزير المنصور المهدي الشهاري الشهري الغيثي العواضي الجرموزي الصوفي الأبيض الأسود الأشول الأعرج المطري الحسني الحسيني القادري الراشدي الصالحي السالمي الناصري الواصلي
  المرسلي المردودي المعلقي الدفعي الصراف الوديع المسلمي المقدم العودي العوضي المعطري المحويتي الطويل القصير الصغير الكبير الفقيه القاضي الخطيب المعلم الحكمي البدوي الجمالي الكاملي المقبلي القبلي اليومي الجمعي الخميسي السبتي
`)
const titles = [
  'الشيخ',
  'الحاج',
  'الأستاذ',
  'الأستاذة',
  'د.',
  'م.',
  'أ.',
  'الدكتور',
  'المهندس',
  'القاضي',
  'العقيد',
  'المقدم',
  'النقيب',
  'السيد',
  'الأخ',
]
const companyHeads = list(
  'شركة مؤسسة محلات مجموعة معرض مركز مكتب سوبرماركت بقالة مطعم صيدلية مصنع بنك مستشفى مدرسة مكتبة فندق محطة ورشة وكالة مخبز جمعية',
)
const companyNames = list(
  'المثال النجم النور الأمانة الأمل التيسير التوفيق السعيد الوفاء الرحاب اليمن سبأ الخليج الفردوس الواحة المستقبل الصفوة النخبة العالمية الحديثة المتحدة الشروق البركة الأمانة الثقة السلام التضامن',
)
const aims = [
  ...[
    'للتجارة',
    'للتجارة العامة',
    'للتجارة والاستيراد',
    'للاستيراد والتصدير',
    'للصرافة',
    'للصرافة والتحويلات',
    'للصرافة والتحويلات المالية',
  ],
  ...[
    'للمقاولات',
    'للمقاولات العامة',
    'للخدمات النفطية',
    'للنقل والشحن',
    'للأدوية والمستلزمات الطبية',
    'للملابس الجاهزة',
    'لبيع الجوالات',
  ],
  ...[
    'لبيع وشراء السيارات',
    'للسفريات والسياحة',
    'للتسويق والتوزيع',
    'للاستثمار والتنمية',
    'للاستشارات الهندسية',
    'للتمويل الأصغر',
    'لخدمات الإنترنت',
  ],
  ...[
    'للمواد الغذائية',
    'للأدوات الكهربائية',
    'لقطع الغيار',
    'للألبان',
    'للعطور',
    'والإخوان',
    'وأولاده',
    'وشركاه',
    'المحدودة',
    'التجارية',
    'الإسلامي',
  ],
]
const latinMen = list(
  "Mohammed Ahmed Ali Saleh Abdullah Hassan Hussein Yahya Ibrahim Khaled Nasser Salem Saeed Said Abdo Qasem Moqbel Hamoud Fares Majed Sayed Ra'id Anis Omar Waleed Ammar Fahd Faisal Mansoor Abdulrahman Abdulmalik Bilal Jane Maria Sara Amal Huda",
)
const latinFamilies = list(
  "Example Al-Example Al-Hashidi Al-Maqtari Ba-Wazir Bin-Break Alsanani Al-Amri Alhadrami O'Example El-Example Al-Shami Alqadi Al-Saqqaf",
)
const latinAims = [
  'Trading',
  'Trading Co.',
  'Exchange',
  'Trading & Contracting Est.',
  'Group',
  'Pharmacy',
  'for Import and Export Co.',
  'Stores',
  'Money Transfer Co.',
  'International Trading Ltd',
]

/** `count` names, as a payer may have them in a message. */
export const madeUpNames = (count: number, seed: number): readonly string[] => {
  const random = randomOf(seed)
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)]!
  const one = (all: readonly string[]): string => pick(all).replaceAll('_', ' ')
  const person = (): string => {
    const parts = [random() < 0.25 ? one(women) : one(men)]
    const fathers = 1 + Math.floor(random() * 3)
    for (let i = 0; i < fathers; i++) parts.push(one(men))
    if (random() < 0.85) parts.push(one(families))
    if (random() < 0.05) parts.splice(1, 0, 'بن')
    return parts.join(' ')
  }
  const company = (): string => {
    const name = random() < 0.5 ? one(companyNames) : `${one(men)} ${one(families)}`
    const head = random() < 0.85 ? `${one(companyHeads)} ` : ''
    return `${head}${name} ${pick(head === '' ? aims.filter((aim) => aim.startsWith('لل')) : aims)}`
  }
  const latin = (): string =>
    random() < 0.3 ? `Al Example ${pick(latinAims)}` : [one(latinMen), one(latinMen), one(latinFamilies)].join(' ')
  const kinds: readonly (readonly [number, () => string])[] = [
    [0.62, person],
    [0.06, () => `${pick(titles)} ${person()}`],
    [0.03, () => `${pick(['أبو', 'أم'])} ${one(men)} ${one(families)}`],
    [0.05, () => person().replaceAll('عبدال', 'عبد ال')],
    [0.04, () => person().replace(/[أإآ]/g, 'ا').replaceAll('ة', 'ه').replaceAll('ى', 'ي')],
    [0.03, () => `${person().slice(0, 12).trim()}...`],
    [0.03, () => person().replace(/(?<=\p{L})\p{L}+(?=\p{L}?( |$))/gu, '***')],
    [0.02, () => person().replace(/ (\p{L})\p{L}+ /u, ' $1. ')],
    [0.08, company],
    [0.04, () => (random() < 0.5 ? latin() : latin().toUpperCase())],
  ]
  return Array.from({ length: count }, () => {
    let share = random()
    for (const [part, make] of kinds) {
      share -= part
      if (share < 0) return make()
    }
    return person()
  })
}

/** Every part of a name by itself. */
export const nameParts: readonly string[] = [...men, ...women, ...families, ...latinMen, ...latinFamilies].map((part) =>
  part.replaceAll('_', ' '),
)
