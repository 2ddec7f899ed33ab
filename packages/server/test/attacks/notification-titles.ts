/**
 * Titles of notifications. Honest ones stand above messages of received money: names of apps, companies and payers, and what
 * happened. The others say that the message is not about money that has come, whatever its text says.
 */
const lines = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

export const honestTitles: readonly string[] = [
  ...lines(`
    KuraimiMB
    Kuraimi
    الكريمي
    com.KuraimiBank
    الكريمي حاسب
    كريمي جوال
    ONE Cash
    جوالي
    جيب
    فلوسك
    إم فلوس
    M-Floos
    MFloos
    Jawali
    محفظتي
    محفظة جيب
    Floosak Wallet
    بنك الكريمي للتمويل الأصغر الإسلامي
    Al-Kuraimi Islamic Microfinance Bank
    M-PESA
    VF-Cash
    Vodafone Cash
    bKash
    رسالة جديدة
    رسالة جديدة من الكريمي
    لديك رسالة جديدة
    لديك رسالتان جديدتان
    لديك 3 رسائل غير مقروءة
    رسائل غير مقروءة
    New message
    2 new messages
    3 unread messages
    Messages
    الرسائل
    إشعار
    إشعار جديد
    إشعارات
    تنبيه
    تنبيه من البنك
    Notification
    Alert
    Credit alert
    Transaction alert
    Account alert
    SMS
    رسالة نصية
    حوالة واردة
    حوالة جديدة
    وصلتك حوالة
    وصلتك حوالة جديدة
    وصلك مبلغ
    وصل مبلغ إلى حسابك
    لديك حوالة واردة
    استلمت حوالة
    استلام حوالة
    تم استلام مبلغ
    تم استلام حوالة جديدة
    تم إيداع مبلغ
    تم الإيداع بنجاح
    إيداع
    إيداع جديد
    إيداع في حسابك
    إيداع نقدي
    إشعار إيداع
    إشعار قيد
    إشعار دائن
    قيد دائن
    تم قيد مبلغ في حسابك
    تم قيد المبلغ لحسابك
    تم قيدها في حسابك
    تم إضافة مبلغ إلى رصيدك
    تمت إضافة رصيد
    إضافة رصيد
    تم شحن محفظتك
    تغذية محفظة
    عملية ناجحة
    تمت العملية بنجاح
    تمت العملية
    عملية مكتملة
    اكتملت العملية
    اكتمل التحويل
    تم تنفيذ العملية
    تم تنفيذ العملية بنجاح
    تم إجراء عملية إيداع
    تأكيد عملية
    تأكيد إيداع
    تأكيد استلام حوالة
    عملية مؤكدة
    تحويل وارد
    تحويل وارد من علي المثال
    تحويل إلى حسابك
    تم تحويل مبلغ لك
    تم تحويل مبلغ إليك
    تم إرسال حوالة إليك
    تم إرسال مبلغ لك
    أرسل لك علي المثال مبلغا
    أرسل إليك مبلغ
    حول لك علي المثال مبلغا
    مبلغ مرسل لك
    مبلغ لك
    دفعة جديدة
    دفعة واردة
    تم الدفع لك
    تم دفع فاتورة
    عملية شراء
    عملية بيع
    مبيعات نقطة البيع
    حركة على حسابك
    حركة حساب
    حساب جاري
    الحساب الجاري
    حسابك الجاري
    كشف حركة
    عملية رقم 7712
    عزيزي العميل
    عزيزنا العميل
    مرحبا
    المرسل: علي المثال
    من: علي المثال
    من علي المثال
    علي المثال
    مبروك
    فوري
    حوالة فورية
    حوالة سريعة
    رصيدك
    الرصيد
    محفظة التاجر
    نقاط البيع
    خدمة العملاء
    null
    undefined
    Unknown
    [title]
    Title
    T
    SIM1
    SIM2_Yemen Mobile
    Money received
    You received money
    You have received money
    You've received a payment
    You have been paid
    You have been credited
    You got paid
    Payment received
    Payment received from Ali Example
    Incoming transfer
    Incoming payment
    Transfer received
    Transfer complete
    Transfer completed
    Transaction successful
    Transaction completed
    Transaction confirmed
    Transaction confirmation
    Payment confirmation
    Payment confirmed
    Confirmation
    Confirmed
    Approved
    Transaction approved
    Transaction processed
    Processed successfully
    Deposit
    New deposit
    Deposit confirmed
    Cash deposit
    Deposit to your account
    Account credited
    Your account has been credited
    Money has been added
    Funds added
    Balance updated
    Wallet topped up
    Top up
    Ali Example sent you money
    Ali Example has sent you a payment
    Money sent to you
    Funds sent to you by Ali Example
    From: Ali Example
    Sender: Ali Example
    Merchant payment
    New sale
    New transaction
    Transaction No. 771200
    Ref no: 88123
    Order no 5
    Receipt
    Payment receipt
    Good news
    Congratulations
    Success
    Done
    Paid
    Hello
    Dear customer
    Kuraimi Mobile Banking
    Mobile money
    Bank notification
    Instant transfer
  `),
]

/** Each with what the message is: sent, taken back, failed, later, asked for, a test, somebody else's. */
export const dishonestTitles: readonly string[] = [
  ...lines(`
    تم إلغاء الحوالة
    حوالة ملغية
    إلغاء عملية
    ألغيت الحوالة
    حوالة صادرة
    تحويل صادر
    تم إرسال الحوالة
    تم إرسال مبلغ
    إرسال حوالة
    أرسلت حوالة
    لقد أرسلت مبلغا
    حولت مبلغا إلى علي المثال
    قمت بتحويل صادر
    خصم
    إشعار خصم
    تم الخصم من حسابك
    سحب نقدي
    عملية سحب
    تم سحب المبلغ
    مرتجع
    حوالة مرتجعة
    تم إرجاع المبلغ
    تم رد الحوالة
    ردت الحوالة
    أعيدت الحوالة للمرسل
    استرجاع حوالة
    استرداد مبلغ
    استرجعها المرسل
    عكس عملية
    عملية معكوسة
    فشل العملية
    عملية فاشلة
    فشلت الحوالة
    تعذر تنفيذ العملية
    عملية مرفوضة
    تم رفض الحوالة
    عملية معلقة
    حوالة معلقة
    قيد التنفيذ
    قيد المعالجة
    قيد الانتظار
    قيد المراجعة
    تحت الإجراء
    تحت التدقيق
    بانتظار التأكيد
    بانتظار الموافقة
    في انتظار الاستلام
    جاري التنفيذ
    جاري تنفيذ الحوالة
    جاري المعالجة
    العملية جارية
    يجري تحويل المبلغ
    غير مؤكدة
    عملية غير مكتملة
    لم تكتمل العملية
    لم يتم الإيداع
    لن تصل الحوالة
    سيتم إيداع مبلغ
    سيصلك مبلغ
    سوف يضاف المبلغ
    ستصلك حوالة
    عتوصلك حوالة
    حوالة مؤجلة
    حوالة مجدولة
    حوالة محجوزة
    مبلغ محجوز
    مبلغ مجمد
    موقوفة
    طلب دفع
    طلب تحويل
    طلب مبلغ
    طلب أموال من علي المثال
    علي المثال يطلب منك مبلغا
    مطلوب منك
    عليك مبلغ
    مبلغ منك
    مطالبة مالية
    رسالة تجريبية
    تجربة
    اختبار
    حوالة وهمية
    بالخطأ
    حوالة بالخطأ
    حوالة غير صحيحة
    انتهت صلاحية الحوالة
    حوالة منتهية
    تذكير بموعد القسط المستحق عليك
    قرض
    لا تصل الحوالة
    إذا وافقت
    Cancelled
    Transfer cancelled
    Transaction canceled
    Reversed
    Transaction reversed
    Reversal
    Refund
    Refunded
    Payment returned
    Returned to sender
    Failed
    Payment failed
    Transfer failed
    Unsuccessful transaction
    Declined
    Rejected
    Pending
    Pending transfer
    Payment pending
    On hold
    Payment on hold
    Processing
    Processing your transfer
    In process
    Being processed
    In progress
    Awaiting confirmation
    Waiting for approval
    Not confirmed
    Not yet received
    Unconfirmed deposit
    You sent money
    Money sent
    Payment sent
    You have sent a payment
    Sent to Ali Example
    Outgoing transfer
    Outward remittance
    Debit alert
    Withdrawal
    Cash withdrawal
    Payment request
    Money request
    Ali Example requests money
    Requested by Ali Example
    Transfer request sent to you
    Scheduled transfer
    Will be credited tomorrow
    To be credited
    You will receive money
    Money will arrive soon
    Upcoming payment
    Expected deposit
    Test message
    Test
    Demo
    Sandbox
    Expired
    Wrong transfer
    Sent by mistake
    Suspicious transaction
    Blocked
    Suspended
    Loan offer
    If approved
    Disputed
    Chargeback
    Voided
  `),
]
