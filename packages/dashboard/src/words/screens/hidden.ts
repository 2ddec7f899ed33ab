/** The texts of hidden messages: one-time codes, which only an owner reveals, and messages of other senders, only counted. */
import { words } from '../catalogue.ts'

export const hiddenWords = words(
  {
    'hidden.code': 'A code was received, hidden.',
    'hidden.deleted': 'A code was received. Its text was deleted after 7 days.',
    'hidden.repeated': 'The same code again, hidden.',
    'hidden.reveal': 'Reveal',
    'hidden.revealTitle': 'Reveal this code?',
    'hidden.revealSure':
      'Whoever reads this code can take the wallet. That you revealed it, and when, is written in the audit log.',
    'hidden.revealed': 'The message with the code',
    'hidden.hide': 'Hide again',
    'hidden.others_one': '{{count}} message of another sender, hidden',
    'hidden.others_other': '{{count}} messages of other senders, hidden',
    'hidden.othersMore': 'More than {{count}} messages of other senders, hidden',
    'hidden.othersLead':
      'Their senders belong to no wallet and no provider. Nobody can read them, and they are deleted after 24 hours. Bind a wallet to the sender, and its messages are read.',
    'hidden.arrived': 'It came through. Its sender belongs to no wallet, so its text is hidden.',
  },
  {
    'hidden.code': 'وصل رمز تحقق، وهو مخفي.',
    'hidden.deleted': 'وصل رمز تحقق، وحُذف نصه بعد 7 أيام.',
    'hidden.repeated': 'رمز التحقق نفسه مرة أخرى، وهو مخفي.',
    'hidden.reveal': 'إظهار',
    'hidden.revealTitle': 'إظهار رمز التحقق هذا؟',
    'hidden.revealSure': 'من يقرأ رمز التحقق هذا يستطيع الدخول إلى المحفظة. يُكتب في سجل التغييرات أنك أظهرته ومتى.',
    'hidden.revealed': 'الرسالة التي فيها رمز التحقق',
    'hidden.hide': 'إخفاء',
    'hidden.others_zero': 'لا رسائل من مرسلين آخرين',
    'hidden.others_one': 'رسالة واحدة من مرسل آخر، مخفية',
    'hidden.others_two': 'رسالتان من مرسلين آخرين، مخفيتان',
    'hidden.others_few': '{{count}} رسائل من مرسلين آخرين، مخفية',
    'hidden.others_many': '{{count}} رسالة من مرسلين آخرين، مخفية',
    'hidden.others_other': '{{count}} رسالة من مرسلين آخرين، مخفية',
    'hidden.othersMore': 'رسائل كثيرة من مرسلين آخرين (أكثر من {{count}})، مخفية',
    'hidden.othersLead':
      'مرسلها ليس لأي محفظة ولا لأي شركة محفظة. لا يقرؤها أحد، وتُحذف بعد 24 ساعة. عند ربط محفظة بهذا المرسل تُقرأ رسائله.',
    'hidden.arrived': 'وصلت الرسالة. مرسلها ليس لأي محفظة، لذلك نصها مخفي.',
  },
)
