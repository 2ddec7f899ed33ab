/** The texts of the search over intents and alerts. */
import { words } from '../catalogue.ts'

export const searchWords = words(
  {
    'search.lead': 'An order, a code, a reference (its last 4 digits are enough), an amount, or who paid.',
    'search.none': 'Nothing found: no payment request and no money.',
    'search.noneLead': 'Money shows up as soon as the phone has reported its message.',
    'search.money': 'Money that arrived',
    'search.noIntents': 'No payment request fits.',
    'search.noMoney': 'No money fits.',
  },
  {
    'search.lead': 'رقم الطلبية أو رقم طلب الدفع أو رقم العملية (تكفي آخر 4 أرقام) أو المبلغ أو اسم الدافع.',
    'search.none': 'لا يوجد شيء: لا طلب دفع ولا مبلغ وصل.',
    'search.noneLead': 'يظهر المبلغ هنا بمجرد وصول رسالته من الهاتف.',
    'search.money': 'المبالغ الواصلة',
    'search.noIntents': 'لا يوجد طلب دفع بهذا البحث.',
    'search.noMoney': 'لا يوجد مبلغ وصل بهذا البحث.',
  },
)
