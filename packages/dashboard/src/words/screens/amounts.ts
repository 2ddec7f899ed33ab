/** The texts that suggest unique amounts: in the form of a wallet, on the start page, and in the first payment. */
import { words } from '../catalogue.ts'

export const amountsWords = words(
  {
    'amounts.arrived':
      'In the last {{days}} days {{credits}} payments arrived, {{without}} of them without a reference.',
    'amounts.allNumbered_one': 'In the last {{days}} days {{count}} payment arrived, with a reference.',
    'amounts.allNumbered_other': 'In the last {{days}} days {{count}} payments arrived, all with a reference.',
    'amounts.templates': '{{without}} of {{templates}} message templates of this company find no reference.',
    'amounts.suggested': 'Suggested for this wallet',
    'amounts.suggestedFor': '{{wallet}}: unique amounts are suggested',
    'amounts.why':
      'A payment without a reference is not verified by itself. With unique amounts each buyer is asked for a slightly different amount, such as 1,503 instead of 1,500, and the amount tells whose payment arrived.',
    'amounts.open': 'Open unique amounts',
    'amounts.owner': 'Only an owner of the account can change this.',
    'amounts.noNumber':
      'Do the messages of your wallet carry no reference? Then each buyer can be asked for an amount of their own, and nobody has to type a number. The page of the wallet says when this is suggested.',
  },
  {
    'amounts.arrived': 'عدد الدفعات خلال آخر {{days}} يومًا: {{credits}}، منها بلا رقم عملية: {{without}}.',
    'amounts.allNumbered_zero': 'لا دفعات خلال آخر {{days}} يومًا.',
    'amounts.allNumbered_one': 'دفعة واحدة خلال آخر {{days}} يومًا، كلها برقم عملية.',
    'amounts.allNumbered_two': 'دفعتان خلال آخر {{days}} يومًا، كلها برقم عملية.',
    'amounts.allNumbered_few': '{{count}} دفعات خلال آخر {{days}} يومًا، كلها برقم عملية.',
    'amounts.allNumbered_many': '{{count}} دفعة خلال آخر {{days}} يومًا، كلها برقم عملية.',
    'amounts.allNumbered_other': '{{count}} دفعة خلال آخر {{days}} يومًا، كلها برقم عملية.',
    'amounts.templates': 'نماذج رسائل هذه الشركة: {{templates}}، منها بلا رقم عملية: {{without}}.',
    'amounts.suggested': 'مقترح لهذه المحفظة',
    'amounts.suggestedFor': '{{wallet}}: نقترح مبلغًا خاصًا لكل مشترٍ',
    'amounts.why':
      'الدفعة التي بلا رقم عملية لا تُحتسب تلقائيًا. مع المبلغ الخاص يُطلب من كل مشترٍ مبلغ يختلف قليلًا، مثل 1,503 بدل 1,500، فيُعرف من المبلغ لمن هذه الدفعة.',
    'amounts.open': 'فتح إعداد المبلغ الخاص',
    'amounts.owner': 'تغييره للمالك فقط.',
    'amounts.noNumber':
      'هل رسائل محفظتك بلا رقم عملية؟ عندها يمكن طلب مبلغ خاص من كل مشترٍ، ولا يكتب أحد أي رقم. صفحة المحفظة تبيّن متى نقترح ذلك.',
  },
)
