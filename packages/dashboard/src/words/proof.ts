/** The texts of the dialog that asks for a proof of the person. */
import { words } from './catalogue.ts'

export const proofWords = words(
  {
    'proof.title': 'Confirm that it is you',
    'proof.leadPassword':
      'This step is protected. Enter your password: the step then continues by itself. It counts for ten minutes.',
    'proof.leadCode':
      'This step is protected. Enter a code of your authenticator app, or a recovery code: the step then continues by itself. It counts for ten minutes.',
    'proof.password': 'Your password',
    'proof.code': 'Code',
    'proof.passkey': 'Use a passkey',
    'proof.passkeyNone': 'No passkey was used. Try again, or enter a code.',
  },
  {
    'proof.title': 'تأكيد الهوية',
    'proof.leadPassword': 'هذه الخطوة محميّة. أدخل كلمة المرور وستكتمل الخطوة تلقائيًا. يبقى التأكيد صالحًا عشر دقائق.',
    'proof.leadCode':
      'هذه الخطوة محميّة. أدخل رمز التحقق من تطبيق المصادقة أو رمز استرداد وستكتمل الخطوة تلقائيًا. يبقى التأكيد صالحًا عشر دقائق.',
    'proof.password': 'كلمة المرور',
    'proof.code': 'رمز التحقق',
    'proof.passkey': 'التأكيد بمفتاح المرور',
    'proof.passkeyNone': 'لم يُستخدم أي مفتاح مرور. حاول مرة أخرى، أو أدخل رمز التحقق.',
  },
)
