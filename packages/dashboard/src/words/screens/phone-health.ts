/** The texts about a phone that may be silent, and about several phones of a wallet. */
import { words } from '../catalogue.ts'

export const phoneHealthWords = words(
  {
    'silence.title': 'When it counts as not reporting',
    'silence.heartbeat':
      'Its app checks in every {{period}}. After {{alarm}} without a check-in it counts as not reporting.',
    'silence.messages':
      'Its app does not check in, so it is judged by its messages. At this time there is usually one at least every {{usual}}. ' +
      'After {{alarm}} without one it counts as not reporting.',
    'silence.late': 'No message for {{silent}}. At this time there is usually one at least every {{usual}}.',
    'silence.closedAsk': 'Is the shop closed today?',
    'silence.closedGo': 'Closed today',
    'silence.closedDone': 'Nothing is expected today. Without a message by {{when}} it counts as not reporting again.',
    'silence.noBeat': 'No check-in for {{silent}}. Its app checks in every {{period}}.',
    'silence.learning':
      'Its app does not check in, and its usual times are not known yet: that takes four weeks of messages. Until then there is ' +
      'no alarm: look at the time of the last message.',
    'silence.too_few':
      'Its app does not check in, and it gets too few messages to tell. There is no alarm: look at the time of the last message.',
    'silence.gateway':
      'SMS Gateway checks in every minute once its Ping is on. It does not yet: stop and start the app once. Until then there is no alarm: ' +
      'look at the time of the last message.',
    'silence.never': 'Nothing has come from it yet.',
    'silence.no_app': 'No app on it sends messages: there is no alarm.',
    'silence.ask':
      'Sanad cannot ask this app whether it is alive. To be sure, begin the self-test. An app that checks in (the Sanad agent, ' +
      'or SMS Gateway with Ping switched on) is found within minutes.',
    'silence.usual': 'usually at least every {{usual}}',
    'silence.last': 'Last message {{when}}',
    'silence.lastOf': '{{phone}}: last message {{when}}',
    'phoneProblem.title': 'What does not work on it',
    'phoneProblem.other': 'It reports a problem: {{code}}',
    'phoneProblem.sms_missing':
      'It cannot read messages: a program is missing on it. Run “pkg install -y termux-api” on the phone.',
    'phoneProblem.sms_refused':
      'It may not read messages. Allow Termux:API “SMS” and “Contacts” in the phone’s settings.',
    'phoneProblem.sms_silent':
      'It cannot read messages: the app Termux:API does not answer. Install it from F-Droid and open it once.',
    'phoneProblem.sms_unreadable':
      'It cannot read messages: the answer is not understood. Run “pkg upgrade -y” on the phone.',
    'phoneProblem.notifications_missing':
      'It cannot read notifications: a program is missing on it. Run “pkg install -y termux-api” on the phone.',
    'phoneProblem.notifications_refused':
      'It may not read notifications. Allow Termux:API the notification access in the phone’s settings.',
    'phoneProblem.notifications_silent':
      'It gets no notifications. Switch the notification access of Termux:API off and on in the phone’s settings.',
    'phoneProblem.notifications_unreadable':
      'It cannot read notifications: the answer is not understood. Run “pkg upgrade -y” on the phone.',
    'phoneProblem.notifications_missed':
      'It was off for a time: notifications of that time were not seen. Compare with the wallet’s own list.',
    'phoneProblem.queue_full': 'Too many messages wait on it to be sent. Check its network.',
    'phoneProblem.reports_refused': 'Some of its messages were refused. Look at “sanad-agent status” on the phone.',
    'compare.title': 'Compared with the other phones, in 7 days',
    'compare.reported': 'Reported',
    'compare.of': '{{reported}} of {{messages}}',
    'compare.missed': 'Missed',
    'compare.first': 'Was first',
    'seen.by_one': 'Seen by {{count}} phone',
    'seen.by_other': 'Seen by {{count}} phones',
    'seen.twice': 'Seen as SMS and as notification',
    'seen.title': 'Phones that saw it',
    'seen.sms': 'SMS',
    'seen.notification': 'notification',
    'seen.after': '{{seconds}} s later',
  },
  {
    'silence.title': 'متى يظهر «لا تصل منه رسائل»',
    'silence.heartbeat': 'تطبيقه يتصل كل {{period}}. بعد {{alarm}} بلا اتصال يظهر أنه لا تصل منه رسائل.',
    'silence.messages':
      'تطبيقه لا يتصل من نفسه، فنحكم من رسائله المعتادة. في هذا الوقت تصل عادة رسالة كل {{usual}} على الأكثر. ' +
      'بعد {{alarm}} بلا رسالة يظهر أنه لا تصل منه رسائل.',
    'silence.late': 'لا رسالة منذ {{silent}}. في هذا الوقت تصل عادة رسالة كل {{usual}} على الأكثر.',
    'silence.closedAsk': 'هل المحل مغلق اليوم؟',
    'silence.closedGo': 'مغلق اليوم',
    'silence.closedDone': 'لا تُنتظر رسائل اليوم. إذا لم تصل رسالة حتى {{when}} يظهر التنبيه من جديد.',
    'silence.noBeat': 'لا اتصال منذ {{silent}}. تطبيقه يتصل كل {{period}}.',
    'silence.learning':
      'تطبيقه لا يتصل من نفسه، وأوقات رسائله لم تُعرف بعد: يحتاج ذلك أربعة أسابيع من الرسائل. حتى ذلك الحين لا تنبيه: ' +
      'انظر إلى وقت آخر رسالة.',
    'silence.too_few': 'تطبيقه لا يتصل من نفسه، ورسائله قليلة لا تكفي للحكم. لا تنبيه: انظر إلى وقت آخر رسالة.',
    'silence.gateway':
      'تطبيق SMS Gateway يتصل كل دقيقة بعد تفعيل Ping. لم يبدأ بعد: أوقف التطبيق وشغّله مرة واحدة. حتى ذلك الحين لا تنبيه: ' +
      'انظر إلى وقت آخر رسالة.',
    'silence.never': 'لم يصل منه شيء بعد.',
    'silence.no_app': 'لا يوجد عليه تطبيق يرسل الرسائل: لا تنبيه له.',
    'silence.ask':
      'لا يستطيع سند أن يسأل هذا التطبيق هل يعمل. للتأكد ابدأ اختبار الهاتف. التطبيق الذي يتصل من نفسه (برنامج سند، أو ' +
      'SMS Gateway مع تفعيل Ping) يُعرف توقفه خلال دقائق.',
    'silence.usual': 'المعتاد كل {{usual}} على الأكثر',
    'silence.last': 'آخر رسالة {{when}}',
    'silence.lastOf': '{{phone}}: آخر رسالة {{when}}',
    'phoneProblem.title': 'ما لا يعمل على الهاتف',
    'phoneProblem.other': 'في الهاتف مشكلة: {{code}}',
    'phoneProblem.sms_missing': 'لا يستطيع قراءة الرسائل: ينقصه برنامج. نفّذ على الهاتف: pkg install -y termux-api',
    'phoneProblem.sms_refused':
      'غير مسموح له بقراءة الرسائل. اسمح لتطبيق Termux:API بالرسائل وجهات الاتصال من إعدادات الهاتف.',
    'phoneProblem.sms_silent': 'لا يستطيع قراءة الرسائل: تطبيق Termux:API لا يرد. ثبّته من F-Droid وافتحه مرة واحدة.',
    'phoneProblem.sms_unreadable': 'لا يستطيع قراءة الرسائل: الرد غير مفهوم. نفّذ على الهاتف: pkg upgrade -y',
    'phoneProblem.notifications_missing':
      'لا يستطيع قراءة الإشعارات: ينقصه برنامج. نفّذ على الهاتف: pkg install -y termux-api',
    'phoneProblem.notifications_refused':
      'غير مسموح له بقراءة الإشعارات. اسمح لتطبيق Termux:API بالوصول إلى الإشعارات من إعدادات الهاتف.',
    'phoneProblem.notifications_silent':
      'لا تصله الإشعارات. أوقف وصول Termux:API إلى الإشعارات ثم فعّله من إعدادات الهاتف.',
    'phoneProblem.notifications_unreadable':
      'لا يستطيع قراءة الإشعارات: الرد غير مفهوم. نفّذ على الهاتف: pkg upgrade -y',
    'phoneProblem.notifications_missed': 'كان متوقفًا مدة، فلم تُقرأ إشعارات تلك المدة. قارن بكشف المحفظة نفسها.',
    'phoneProblem.queue_full': 'رسائل كثيرة تنتظر الإرسال على الهاتف. تحقق من شبكته.',
    'phoneProblem.reports_refused': 'بعض رسائله رُفضت. شغّل على الهاتف: sanad-agent status',
    'compare.title': 'مقارنة بالهواتف الأخرى، خلال 7 أيام',
    'compare.reported': 'وصلت منه',
    'compare.of': '{{reported}} من {{messages}}',
    'compare.missed': 'فاتته',
    'compare.first': 'وصلت منه أولًا',
    'seen.by_zero': 'لم تصل إلى أي هاتف',
    'seen.by_one': 'وصلت إلى هاتف واحد',
    'seen.by_two': 'وصلت إلى هاتفين',
    'seen.by_few': 'وصلت إلى {{count}} هواتف',
    'seen.by_many': 'وصلت إلى {{count}} هاتفًا',
    'seen.by_other': 'وصلت إلى {{count}} هاتف',
    'seen.twice': 'وصلت رسالة SMS وإشعار التطبيق',
    'seen.title': 'الهواتف التي وصلت إليها',
    'seen.sms': 'SMS',
    'seen.notification': 'إشعار التطبيق',
    'seen.after': 'بعده بـ {{seconds}} ث',
  },
)
