/** The doubts about an alert, as chips on its card. */
import { words } from '../catalogue.ts'

export const doubtsWords = words(
  {
    'doubt.unsigned': 'Unsigned message',
    'doubt.balance': 'Balance does not add up',
    'doubt.balanceCame': 'Balance does not add up: {{missing}} came in without a message since {{since}}',
    'doubt.balanceLeft': 'Balance does not add up: {{missing}} went out without a message since {{since}}',
    'doubt.phone_new': 'Phone connected less than a day before',
    'doubt.sender_new': 'Sender added less than a day before',
    'doubt.unsigned_denial': 'An unsigned message denies this payment',
    'doubt.seen_before': 'The same text came before',
    'doubt.same_payment': 'May be the payment that was used for {{order}}',
    'doubt.samePaymentSome': 'May be a payment that was used already',
    'doubt.many_references': 'Many references were tried: {{tried}}',
    'doubt.many': 'Many references were tried',
  },
  {
    'doubt.unsigned': 'رسالة غير موقّعة',
    'doubt.balance': 'الرصيد غير مضبوط مع ما قبله',
    'doubt.balanceCame': 'الرصيد غير مضبوط مع ما قبله: وارد {{missing}} بلا رسالة منذ {{since}}',
    'doubt.balanceLeft': 'الرصيد غير مضبوط مع ما قبله: صادر {{missing}} بلا رسالة منذ {{since}}',
    'doubt.phone_new': 'هاتف مربوط قبل أقل من يوم',
    'doubt.sender_new': 'مُرسل أُضيف قبل أقل من يوم',
    'doubt.unsigned_denial': 'رسالة غير موقّعة تنفي هذه الدفعة',
    'doubt.seen_before': 'وصل النص نفسه من قبل',
    'doubt.same_payment': 'قد تكون الدفعة نفسها التي سُجّلت على {{order}}',
    'doubt.samePaymentSome': 'قد تكون دفعة سُجّلت من قبل',
    'doubt.many_references': 'جُرّبت أرقام عمليات كثيرة: {{tried}}',
    'doubt.many': 'جُرّبت أرقام عمليات كثيرة',
  },
)
