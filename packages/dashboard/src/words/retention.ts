/** For how long an account keeps texts, payers and logs. */
import { words } from './catalogue.ts'

export const retentionWords = words(
  {
    'retention.title': 'Data kept',
    'retention.lead': 'How long texts, payers and logs are kept. Amounts and references stay.',
    'retention.forEver': 'What is older is erased and does not come back. It is not in later backups either.',
    'retention.days': 'days',
    'retention.range': 'From {{least}} to {{most}} days. Empty: {{usual}} days.',
    'retention.texts': 'Message texts and the payers in them',
    'retention.no_money': 'Messages that are not about money',
    'retention.payers': 'Names and phones of payers and customers',
    'retention.api_calls': 'Log of API calls',
    'retention.audit': 'Audit log',
  },
  {
    'retention.title': 'حفظ البيانات',
    'retention.lead': 'مدة حفظ النصوص وبيانات الدافعين والسجلات. المبالغ وأرقام العمليات تبقى.',
    'retention.forEver': 'ما تجاوز المدة يُمسح ولا يعود، ولا يدخل النسخ الاحتياطية اللاحقة.',
    'retention.days': 'يوم',
    'retention.range': 'بالأيام، من {{least}} إلى {{most}}. إن تُرك فارغًا: {{usual}}.',
    'retention.texts': 'نصوص الرسائل وأسماء الدافعين فيها',
    'retention.no_money': 'الرسائل التي ليست عن مبالغ',
    'retention.payers': 'أسماء وأرقام الدافعين والعملاء',
    'retention.api_calls': 'سجل استدعاءات API',
    'retention.audit': 'سجل التغييرات',
  },
)
