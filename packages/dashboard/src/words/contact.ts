/** The texts that ask a shop how its buyers can contact it. */
import { words } from './catalogue.ts'

export const contactWords = words(
  {
    'contact.title': 'How can buyers contact you?',
    'contact.lead': 'Shown on every payment page. A buyer who sent money and has a problem then knows whom to ask.',
    'contact.whatsapp': 'WhatsApp number',
    'contact.phone': 'Phone to call (optional)',
    'contact.skip': 'Not now',
    'contact.saved': 'Saved. Buyers see it on every payment page.',
    'contact.none': 'Buyers cannot contact you: the payment page shows no WhatsApp number and no phone.',
    'contact.add': 'Add a contact',
  },
  {
    'contact.title': 'كيف يتواصل معك المشتري؟',
    'contact.lead': 'يظهر في كل صفحات الدفع، فيعرف المشتري من يسأل إن حوّل المبلغ وواجه مشكلة.',
    'contact.whatsapp': 'رقم الواتساب',
    'contact.phone': 'رقم للاتصال (اختياري)',
    'contact.skip': 'ليس الآن',
    'contact.saved': 'تم الحفظ. يظهر للمشترين في كل صفحات الدفع.',
    'contact.none': 'لا يستطيع المشتري التواصل معك: لا يظهر في صفحة الدفع رقم واتساب ولا رقم اتصال.',
    'contact.add': 'إضافة رقم للتواصل',
  },
)
