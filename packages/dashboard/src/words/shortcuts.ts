/** The texts of the list of keys. */
import { words } from './catalogue.ts'

export const shortcutsWords = words(
  {
    'shortcuts.title': 'Keys',
    'shortcuts.lead': 'Keys work while no field has the focus. Two keys are pressed one after the other.',
    'shortcuts.search': 'Search',
    'shortcuts.open./': 'Open Today',
    'shortcuts.open./counter': 'Open the counter',
    'shortcuts.open./counter/new': 'New sale on the counter',
    'shortcuts.open./intents': 'Open payment requests',
    'shortcuts.open./unmatched': 'Open unmatched money',
    'shortcuts.close': 'Close what is open',
    'shortcuts.list': 'This list',
  },
  {
    'shortcuts.title': 'الاختصارات',
    'shortcuts.lead': 'تعمل عندما لا تكتب في خانة، بالحروف الإنجليزية أو العربية. الحرفان يُضغطان واحدًا بعد الآخر.',
    'shortcuts.search': 'البحث',
    'shortcuts.open./': 'فتح صفحة اليوم',
    'shortcuts.open./counter': 'فتح شاشة الكاشير',
    'shortcuts.open./counter/new': 'بيعة جديدة',
    'shortcuts.open./intents': 'فتح طلبات الدفع',
    'shortcuts.open./unmatched': 'فتح المبالغ بلا طلبية',
    'shortcuts.close': 'إغلاق المفتوح',
    'shortcuts.list': 'هذه القائمة',
  },
)
