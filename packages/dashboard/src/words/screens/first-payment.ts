/** The texts of the guide through a first payment. */
import { words } from '../catalogue.ts'

export const firstPaymentWords = words(
  {
    'first.lead': 'On the test wallet, with a simulated phone. No money moves, and it takes under two minutes.',
    'first.create': 'Create',
    'first.createLead': 'Your server creates a payment request. Here you create it by hand.',
    'first.createGo': 'Create a payment request of {{amount}}',
    'first.created': 'The payment request {{code}} waits for {{amount}}.',
    'first.pay': 'Pay',
    'first.payLead':
      'The buyer pays into your wallet, and your phone gets the wallet’s message. Here both are simulated.',
    'first.payGo': 'Pay {{amount}}',
    'first.paid': 'The phone reported a message:',
    'first.held': 'The message is held: the phone of the test wallet is switched off. Switch it on under Phones.',
    'first.attach': 'Attach the reference',
    'first.attachLead': 'The buyer tells you the number that their wallet showed. It must be the one in the message.',
    'first.attachGo': 'Attach {{reference}}',
    'first.verified': 'Paid: the message and the reference match.',
    'first.over': 'This payment request is {{state}}. Begin again with a new one.',
    'first.webhook': 'See the webhook',
    'first.webhookLead': 'It is sent to your server at once, signed.',
    'first.noEndpoint':
      'No endpoint receives this event yet. Add your server’s address, or receive webhooks on your own machine with this command:',
    'first.again': 'Another payment',
    'first.step': 'Step {{number}}',
    'first.done': 'Done',
  },
  {
    'first.lead': 'على المحفظة التجريبية وبهاتف تجريبي. بلا أموال، وفي أقل من دقيقتين.',
    'first.create': 'إنشاء طلب دفع',
    'first.createLead': 'متجرك ينشئ طلب الدفع تلقائيًا. هنا تنشئه يدويًا.',
    'first.createGo': 'إنشاء طلب دفع بمبلغ {{amount}}',
    'first.created': 'طلب الدفع {{code}} بانتظار {{amount}}.',
    'first.pay': 'الدفع',
    'first.payLead': 'المشتري يدفع إلى محفظتك، فتصل رسالة المحفظة إلى هاتفك. هنا كلاهما تجربة.',
    'first.payGo': 'دفع {{amount}}',
    'first.paid': 'وصلت رسالة من الهاتف:',
    'first.held': 'الرسالة وصلت والهاتف متوقف: هاتف المحفظة التجريبية متوقف. فعّله من صفحة الهواتف.',
    'first.attach': 'إدخال رقم العملية',
    'first.attachLead': 'المشتري يعطيك الرقم الذي ظهر في محفظته. يجب أن يكون نفس الرقم الذي في الرسالة.',
    'first.attachGo': 'إدخال {{reference}}',
    'first.verified': 'مدفوع: الرسالة ورقم العملية متطابقان.',
    'first.over': 'حالة طلب الدفع هذا: {{state}}. ابدأ من جديد بطلب دفع آخر.',
    'first.webhook': 'إشعار المتجر (Webhook)',
    'first.webhookLead': 'يصل إلى متجرك فورًا، موقّعًا.',
    'first.noEndpoint':
      'لا يوجد عنوان استقبال لهذا الحدث بعد. أضف عنوان متجرك، أو استقبل الإشعارات على جهازك بهذا الأمر:',
    'first.again': 'دفعة أخرى',
    'first.step': 'الخطوة {{number}}',
    'first.done': 'تم',
  },
)
