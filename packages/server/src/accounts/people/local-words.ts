/**
 * Words that are common in passwords in Yemen and missing in lists made elsewhere: religious words, names, cities, wallets,
 * mobile networks, this service itself. Spaces do not count.
 */
export const localWords: readonly string[] = `
  sanad; sanadpay; sanad admin; سند; yemen; alyemen; yaman; yemeni; اليمن; يمن; اليمني; sanaa; sana; صنعاء; aden; عدن; taiz; taizz; تعز;
  hodeidah; hudaydah; الحديده; ibb; إب; mukalla; المكلا; hadramout; hadhramaut; حضرموت; marib; مأرب; dhamar; ذمار; saada; صعده;
  bismillah; bismillahi; besmellah; bismillah alrahman alrahim; bismillahirrahmanirrahim; بسم الله; بسم الله الرحمن الرحيم;
  allah; allahu akbar; allah akbar; الله; الله أكبر; alhamdulillah; alhamdolillah; elhamdulillah; الحمد لله; subhanallah; sobhanallah;
  سبحان الله; la ilaha illa allah; lailahaillallah; لا إله إلا الله; mashallah; mashaallah; ما شاء الله; inshallah; inshaallah; إن شاء الله;
  astaghfirullah; أستغفر الله; محمد رسول الله; صلى الله عليه وسلم; صلي على النبي; ya allah; ya rab; yarab; ياالله; يارب; ramadan; رمضان; islam; الإسلام; muslim; مسلم;
  quran; القرآن; makkah; mecca; مكه; madina; المدينه;
  mohammed; mohammad; muhammad; muhammed; mohamed; mohamad; mo7amed; mo7ammed; mhmd; محمد; ahmed; ahmad; a7med; a7mad; أحمد; ali; علي; abdullah; abdallah;
  3bdallah; عبدالله; عبد الله; abdulrahman; abdurrahman; عبدالرحمن; saleh; صالح; hussein; hussain; حسين; hassan; hasan; حسن; omar; عمر; osama; أسامه; khaled; khalid; خالد;
  ibrahim; إبراهيم; yousef; yusuf; youssef; يوسف; mustafa; مصطفى; mahmoud; محمود; hamza; حمزه; fatima; fatimah; فاطمه; aisha; عائشه; maryam; mariam; مريم; amal; أمل; huda; هدى;
  habibi; 7abibi; حبيبي; حبيبتي; hayati; 7ayati; حياتي; alby; قلبي; omri; عمري; mama; baba; ماما; بابا; أمي; أبي;
  jawali; جوالي; jaib; جيب; kuraimi; alkuraimi; kuraimi jawal; الكريمي; كريمي; mfloos; m floos; floosak; فلوسك; فلوس; onecash; one cash; ون كاش; mobile money; موبايل موني;
  easy; sabacash; saba cash; سبأ كاش; cashpay; يمن والت; yemen wallet; wallet; محفظه; محفظتي; المحفظه; vodafone cash; فودافون كاش; mpesa; m pesa;
  yemen mobile; يمن موبايل; sabafon; سبأفون; mtn; you; يو; yemennet; يمن نت; teleyemen;
  password; passwort; كلمة السر; كلمه المرور; كلمة المرور; الرقم السري; رقم سري; باسورد; سري; admin; administrator; المدير; المالك; cashier; الكاشير; shop; dukkan; المحل; متجر; متجري; bank; بنك;
  love yemen; i love yemen; تحيا اليمن; yemen forever
`
  .split(';')
  .map((word) => word.trim())
  .filter((word) => word !== '')
