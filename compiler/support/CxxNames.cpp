// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/CxxNames.h"

#include <algorithm>
#include <iterator>
#include <string>

namespace tegula {

// Words, each between spaces.
static constexpr std::string_view keywords =
    " alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t char8_t class "
    "co_await co_return co_yield compl concept const const_cast consteval constexpr constinit continue "
    "contract_assert decltype default delete do double dynamic_cast else enum explicit export extern false float for "
    "friend goto if inline int long mutable namespace new noexcept not not_eq nullptr operator or or_eq private "
    "protected public register reinterpret_cast requires return short signed sizeof static static_assert static_cast "
    "struct switch template this thread_local throw true try typedef typeid typename union unsigned using virtual "
    "void volatile wchar_t while xor xor_eq ";

// Of <string>, <atomic>, <mutex>, <cmath> and their like as GCC 12 and Clang 19 have them with glibc, but for families
// of names that begin alike.
static constexpr std::string_view macros =
    " ADJ_ESTERROR ADJ_FREQUENCY ADJ_MAXERROR ADJ_MICRO ADJ_NANO ADJ_OFFSET ADJ_OFFSET_SINGLESHOT ADJ_OFFSET_SS_READ "
    "ADJ_SETOFFSET ADJ_STATUS ADJ_TAI ADJ_TICK ADJ_TIMECONST AIO_PRIO_DELTA_MAX ATOMIC_BOOL_LOCK_FREE "
    "ATOMIC_CHAR16_T_LOCK_FREE ATOMIC_CHAR32_T_LOCK_FREE ATOMIC_CHAR8_T_LOCK_FREE ATOMIC_CHAR_LOCK_FREE "
    "ATOMIC_FLAG_INIT ATOMIC_INT_LOCK_FREE ATOMIC_LLONG_LOCK_FREE ATOMIC_LONG_LOCK_FREE ATOMIC_POINTER_LOCK_FREE "
    "ATOMIC_SHORT_LOCK_FREE ATOMIC_VAR_INIT ATOMIC_WCHAR_T_LOCK_FREE BC_BASE_MAX BC_DIM_MAX BC_SCALE_MAX "
    "BC_STRING_MAX BIG_ENDIAN BOOL_MAX BOOL_WIDTH BUFSIZ BYTE_ORDER CHARCLASS_NAME_MAX CHAR_BIT CHAR_MAX CHAR_MIN "
    "CHAR_WIDTH CLOCKS_PER_SEC CLOCK_BOOTTIME CLOCK_BOOTTIME_ALARM CLOCK_MONOTONIC CLOCK_MONOTONIC_COARSE "
    "CLOCK_MONOTONIC_RAW CLOCK_PROCESS_CPUTIME_ID CLOCK_REALTIME CLOCK_REALTIME_ALARM CLOCK_REALTIME_COARSE "
    "CLOCK_TAI CLOCK_THREAD_CPUTIME_ID CLONE_CHILD_CLEARTID CLONE_CHILD_SETTID CLONE_DETACHED CLONE_FILES CLONE_FS "
    "CLONE_IO CLONE_NEWCGROUP CLONE_NEWIPC CLONE_NEWNET CLONE_NEWNS CLONE_NEWPID CLONE_NEWTIME CLONE_NEWUSER "
    "CLONE_NEWUTS CLONE_PARENT CLONE_PARENT_SETTID CLONE_PIDFD CLONE_PTRACE CLONE_SETTLS CLONE_SIGHAND CLONE_SYSVSEM "
    "CLONE_THREAD CLONE_UNTRACED CLONE_VFORK CLONE_VM CLOSE_RANGE_CLOEXEC CLOSE_RANGE_UNSHARE COLL_WEIGHTS_MAX "
    "CPU_ALLOC CPU_ALLOC_SIZE CPU_AND CPU_AND_S CPU_CLR CPU_CLR_S CPU_COUNT CPU_COUNT_S CPU_EQUAL CPU_EQUAL_S "
    "CPU_FREE CPU_ISSET CPU_ISSET_S CPU_OR CPU_OR_S CPU_SET CPU_SETSIZE CPU_SET_S CPU_XOR CPU_XOR_S CPU_ZERO "
    "CPU_ZERO_S CSIGNAL DELAYTIMER_MAX E2BIG EACCES EADDRINUSE EADDRNOTAVAIL EADV EAFNOSUPPORT EAGAIN EALREADY EBADE "
    "EBADF EBADFD EBADMSG EBADR EBADRQC EBADSLT EBFONT EBUSY ECANCELED ECHILD ECHRNG ECOMM ECONNABORTED ECONNREFUSED "
    "ECONNRESET EDEADLK EDEADLOCK EDESTADDRREQ EDOM EDOTDOT EDQUOT EEXIST EFAULT EFBIG EHOSTDOWN EHOSTUNREACH "
    "EHWPOISON EIDRM EILSEQ EINPROGRESS EINTR EINVAL EIO EISCONN EISDIR EISNAM EKEYEXPIRED EKEYREJECTED EKEYREVOKED "
    "EL2HLT EL2NSYNC EL3HLT EL3RST ELIBACC ELIBBAD ELIBEXEC ELIBMAX ELIBSCN ELNRNG ELOOP EMEDIUMTYPE EMFILE EMLINK "
    "EMSGSIZE EMULTIHOP ENAMETOOLONG ENAVAIL ENETDOWN ENETRESET ENETUNREACH ENFILE ENOANO ENOBUFS ENOCSI ENODATA "
    "ENODEV ENOENT ENOEXEC ENOKEY ENOLCK ENOLINK ENOMEDIUM ENOMEM ENOMSG ENONET ENOPKG ENOPROTOOPT ENOSPC ENOSR "
    "ENOSTR ENOSYS ENOTBLK ENOTCONN ENOTDIR ENOTEMPTY ENOTNAM ENOTRECOVERABLE ENOTSOCK ENOTSUP ENOTTY ENOTUNIQ ENXIO "
    "EOF EOPNOTSUPP EOVERFLOW EOWNERDEAD EPERM EPFNOSUPPORT EPIPE EPROTO EPROTONOSUPPORT EPROTOTYPE ERANGE EREMCHG "
    "EREMOTE EREMOTEIO ERESTART ERFKILL EROFS ESHUTDOWN ESOCKTNOSUPPORT ESPIPE ESRCH ESRMNT ESTALE ESTRPIPE ETIME "
    "ETIMEDOUT ETOOMANYREFS ETXTBSY EUCLEAN EUNATCH EUSERS EWOULDBLOCK EXDEV EXFULL EXIT_FAILURE EXIT_SUCCESS "
    "EXPR_NEST_MAX FD_CLR FD_ISSET FD_SET FD_SETSIZE FD_ZERO FILENAME_MAX FOPEN_MAX FP_ILOGB0 FP_ILOGBNAN "
    "FP_INFINITE FP_LLOGB0 FP_LLOGBNAN FP_NAN FP_NORMAL FP_SUBNORMAL FP_ZERO F_LOCK F_OK F_TEST F_TLOCK F_ULOCK "
    "HOST_NAME_MAX HUGE_VAL HUGE_VALF HUGE_VALL INFINITY INT16_C INT16_MAX INT16_MIN INT16_WIDTH INT32_C INT32_MAX "
    "INT32_MIN INT32_WIDTH INT64_C INT64_MAX INT64_MIN INT64_WIDTH INT8_C INT8_MAX INT8_MIN INT8_WIDTH INTMAX_C "
    "INTMAX_MAX INTMAX_MIN INTMAX_WIDTH INTPTR_MAX INTPTR_MIN INTPTR_WIDTH INT_FAST16_MAX INT_FAST16_MIN "
    "INT_FAST16_WIDTH INT_FAST32_MAX INT_FAST32_MIN INT_FAST32_WIDTH INT_FAST64_MAX INT_FAST64_MIN INT_FAST64_WIDTH "
    "INT_FAST8_MAX INT_FAST8_MIN INT_FAST8_WIDTH INT_LEAST16_MAX INT_LEAST16_MIN INT_LEAST16_WIDTH INT_LEAST32_MAX "
    "INT_LEAST32_MIN INT_LEAST32_WIDTH INT_LEAST64_MAX INT_LEAST64_MIN INT_LEAST64_WIDTH INT_LEAST8_MAX "
    "INT_LEAST8_MIN INT_LEAST8_WIDTH INT_MAX INT_MIN INT_WIDTH IOV_MAX ITIMER_PROF ITIMER_REAL ITIMER_VIRTUAL "
    "LC_ADDRESS LC_ADDRESS_MASK LC_ALL LC_ALL_MASK LC_COLLATE LC_COLLATE_MASK LC_CTYPE LC_CTYPE_MASK "
    "LC_GLOBAL_LOCALE LC_IDENTIFICATION LC_IDENTIFICATION_MASK LC_MEASUREMENT LC_MEASUREMENT_MASK LC_MESSAGES "
    "LC_MESSAGES_MASK LC_MONETARY LC_MONETARY_MASK LC_NAME LC_NAME_MASK LC_NUMERIC LC_NUMERIC_MASK LC_PAPER "
    "LC_PAPER_MASK LC_TELEPHONE LC_TELEPHONE_MASK LC_TIME LC_TIME_MASK LINE_MAX LITTLE_ENDIAN LLONG_MAX LLONG_MIN "
    "LLONG_WIDTH LOGIN_NAME_MAX LONG_BIT LONG_LONG_MAX LONG_LONG_MIN LONG_MAX LONG_MIN LONG_WIDTH L_INCR L_SET "
    "L_XTND L_ctermid L_cuserid L_tmpnam MATH_ERREXCEPT MATH_ERRNO MAXFLOAT MAX_CANON MAX_INPUT MB_CUR_MAX "
    "MB_LEN_MAX MOD_CLKA MOD_CLKB MOD_ESTERROR MOD_FREQUENCY MOD_MAXERROR MOD_MICRO MOD_NANO MOD_OFFSET MOD_STATUS "
    "MOD_TAI MOD_TIMECONST MQ_PRIO_MAX M_1_PI M_1_PIf M_1_PIl M_2_PI M_2_PIf M_2_PIl M_2_SQRTPI M_2_SQRTPIf "
    "M_2_SQRTPIl M_E M_Ef M_El M_LN10 M_LN10f M_LN10l M_LN2 M_LN2f M_LN2l M_LOG10E M_LOG10Ef M_LOG10El M_LOG2E "
    "M_LOG2Ef M_LOG2El M_PI M_PI_2 M_PI_2f M_PI_2l M_PI_4 M_PI_4f M_PI_4l M_PIf M_PIl M_SQRT1_2 M_SQRT1_2f "
    "M_SQRT1_2l M_SQRT2 M_SQRT2f M_SQRT2l NAME_MAX NAN NFDBITS NGROUPS_MAX NL_ARGMAX NL_LANGMAX NL_MSGMAX NL_NMAX "
    "NL_SETMAX NL_TEXTMAX NULL NZERO PATH_MAX PDP_ENDIAN PIPE_BUF PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP "
    "PTHREAD_ATTR_NO_SIGMASK_NP PTHREAD_BARRIER_SERIAL_THREAD PTHREAD_CANCELED PTHREAD_CANCEL_ASYNCHRONOUS "
    "PTHREAD_CANCEL_DEFERRED PTHREAD_CANCEL_DISABLE PTHREAD_CANCEL_ENABLE PTHREAD_COND_INITIALIZER "
    "PTHREAD_CREATE_DETACHED PTHREAD_CREATE_JOINABLE PTHREAD_DESTRUCTOR_ITERATIONS "
    "PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP PTHREAD_EXPLICIT_SCHED PTHREAD_INHERIT_SCHED PTHREAD_KEYS_MAX "
    "PTHREAD_MUTEX_INITIALIZER PTHREAD_ONCE_INIT PTHREAD_PROCESS_PRIVATE PTHREAD_PROCESS_SHARED "
    "PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP PTHREAD_RWLOCK_INITIALIZER "
    "PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP PTHREAD_SCOPE_PROCESS PTHREAD_SCOPE_SYSTEM PTHREAD_STACK_MIN "
    "PTRDIFF_MAX PTRDIFF_MIN PTRDIFF_WIDTH P_tmpdir RAND_MAX RENAME_EXCHANGE RENAME_NOREPLACE RENAME_WHITEOUT "
    "RE_DUP_MAX RTSIG_MAX R_OK SCHAR_MAX SCHAR_MIN SCHAR_WIDTH SCHED_BATCH SCHED_DEADLINE SCHED_FIFO SCHED_IDLE "
    "SCHED_ISO SCHED_OTHER SCHED_RESET_ON_FORK SCHED_RR SEEK_CUR SEEK_DATA SEEK_END SEEK_HOLE SEEK_SET SEM_FAILED "
    "SEM_VALUE_MAX SHRT_MAX SHRT_MIN SHRT_WIDTH SIG_ATOMIC_MAX SIG_ATOMIC_MIN SIG_ATOMIC_WIDTH SIZE_MAX SIZE_WIDTH "
    "SSIZE_MAX STA_CLK STA_CLOCKERR STA_DEL STA_FLL STA_FREQHOLD STA_INS STA_MODE STA_NANO STA_PLL STA_PPSERROR "
    "STA_PPSFREQ STA_PPSJITTER STA_PPSSIGNAL STA_PPSTIME STA_PPSWANDER STA_RONLY STA_UNSYNC STDERR_FILENO "
    "STDIN_FILENO STDOUT_FILENO TEMP_FAILURE_RETRY TIMER_ABSTIME TIMESPEC_TO_TIMEVAL TIMEVAL_TO_TIMESPEC TIME_UTC "
    "TMP_MAX TTY_NAME_MAX UCHAR_MAX UCHAR_WIDTH UINT16_C UINT16_MAX UINT16_WIDTH UINT32_C UINT32_MAX UINT32_WIDTH "
    "UINT64_C UINT64_MAX UINT64_WIDTH UINT8_C UINT8_MAX UINT8_WIDTH UINTMAX_C UINTMAX_MAX UINTMAX_WIDTH UINTPTR_MAX "
    "UINTPTR_WIDTH UINT_FAST16_MAX UINT_FAST16_WIDTH UINT_FAST32_MAX UINT_FAST32_WIDTH UINT_FAST64_MAX "
    "UINT_FAST64_WIDTH UINT_FAST8_MAX UINT_FAST8_WIDTH UINT_LEAST16_MAX UINT_LEAST16_WIDTH UINT_LEAST32_MAX "
    "UINT_LEAST32_WIDTH UINT_LEAST64_MAX UINT_LEAST64_WIDTH UINT_LEAST8_MAX UINT_LEAST8_WIDTH UINT_MAX UINT_WIDTH "
    "ULLONG_MAX ULLONG_WIDTH ULONG_LONG_MAX ULONG_MAX ULONG_WIDTH USHRT_MAX USHRT_WIDTH WCHAR_MAX WCHAR_MIN "
    "WCHAR_WIDTH WCONTINUED WEOF WEXITED WEXITSTATUS WIFCONTINUED WIFEXITED WIFSIGNALED WIFSTOPPED WINT_MAX WINT_MIN "
    "WINT_WIDTH WNOHANG WNOWAIT WORD_BIT WSTOPPED WSTOPSIG WTERMSIG WUNTRACED W_OK XATTR_LIST_MAX XATTR_NAME_MAX "
    "XATTR_SIZE_MAX X_OK alloca assert be16toh be32toh be64toh errno htobe16 htobe32 htobe64 htole16 htole32 htole64 "
    "issubnormal le16toh le32toh le64toh linux math_errhandling offsetof pthread_cleanup_pop "
    "pthread_cleanup_pop_restore_np pthread_cleanup_push pthread_cleanup_push_defer_np sched_priority stderr stdin "
    "stdout strdupa strndupa timeradd timerclear timercmp timerisset timersub unix ";
static constexpr std::string_view families[] = {"TEGULA_", "SYS_", "FP_INT_", "HUGE_VAL_", "SNAN"};

static constexpr std::string_view globals =
    " FILE blkcnt_t blksize_t caddr_t clock_t clockid_t comparison_fn_t cpu_set_t daddr_t daylight dev_t div_t "
    "double_t environ error_t fd_mask fd_set float_t fpos_t fsblkcnt_t fsfilcnt_t fsid_t getdate_err gid_t id_t "
    "ino_t int16_t int32_t int64_t int8_t int_fast16_t int_fast32_t int_fast64_t int_fast8_t int_least16_t "
    "int_least32_t int_least64_t int_least8_t intmax_t intptr_t key_t ldiv_t lldiv_t locale_t loff_t max_align_t "
    "mbstate_t mode_t nlink_t nullptr_t off_t optarg opterr optind optopt pid_t program_invocation_name "
    "program_invocation_short_name ptrdiff_t quad_t register_t signgam sigset_t size_t ssize_t suseconds_t time_t "
    "timer_t timezone tzname u_char u_int u_long u_quad_t u_short uid_t uint uint16_t uint32_t uint64_t uint8_t "
    "uint_fast16_t uint_fast32_t uint_fast64_t uint_fast8_t uint_least16_t uint_least32_t uint_least64_t "
    "uint_least8_t uintmax_t uintptr_t ulong useconds_t ushort va_list wctrans_t wctype_t wint_t ";

// Functions, but for those of math.h that end in the name of a type, and structs.
static constexpr std::string_view functions =
    " a64l abort abs acos acosf acosh acoshf acoshl acosl aligned_alloc alloca arc4random arc4random_buf "
    "arc4random_uniform asctime asctime_r asin asinf asinh asinhf asinhl asinl asprintf at_quick_exit atan atan2 "
    "atan2f atan2l atanf atanh atanhf atanhl atanl atexit atof atoi atol atoll basename bcmp bcopy bsearch btowc "
    "bzero calloc canonicalize canonicalize_file_name canonicalizef canonicalizel cbrt cbrtf cbrtl ceil ceilf ceill "
    "clearenv clearerr clearerr_unlocked clock clock_adjtime clock_getcpuclockid clock_getres clock_gettime "
    "clock_nanosleep clock_settime clone copysign copysignf copysignl cos cosf cosh coshf coshl cosl ctermid ctime "
    "ctime_r cuserid daddl ddivl dfmal difftime div dmull dprintf drand48 drand48_data drand48_r drem dremf dreml "
    "dsqrtl dsubl duplocale dysize ecvt ecvt_r erand48 erand48_r erf erfc erfcf erfcl erff erfl exit exp exp10 "
    "exp10f exp10l exp2 exp2f exp2l expf expl explicit_bzero expm1 expm1f expm1l fabs fabsf fabsl fadd faddl fclose "
    "fcloseall fcvt fcvt_r fdim fdimf fdiml fdiv fdivl fdopen feof feof_unlocked ferror ferror_unlocked fflush "
    "fflush_unlocked ffma ffmal ffs ffsl ffsll fgetc fgetc_unlocked fgetpos fgetpos64 fgets fgets_unlocked fgetwc "
    "fgetwc_unlocked fgetws fgetws_unlocked fileno fileno_unlocked finite finitef finitel flockfile floor floorf "
    "floorl fma fmaf fmal fmax fmaxf fmaximum fmaximum_mag fmaximum_mag_num fmaximum_mag_numf fmaximum_mag_numl "
    "fmaximum_magf fmaximum_magl fmaximum_num fmaximum_numf fmaximum_numl fmaximumf fmaximuml fmaxl fmaxmag fmaxmagf "
    "fmaxmagl fmemopen fmin fminf fminimum fminimum_mag fminimum_mag_num fminimum_mag_numf fminimum_mag_numl "
    "fminimum_magf fminimum_magl fminimum_num fminimum_numf fminimum_numl fminimumf fminimuml fminl fminmag fminmagf "
    "fminmagl fmod fmodf fmodl fmul fmull fopen fopen64 fopencookie fprintf fputc fputc_unlocked fputs "
    "fputs_unlocked fputwc fputwc_unlocked fputws fputws_unlocked fread fread_unlocked free freelocale freopen "
    "freopen64 frexp frexpf frexpl fromfp fromfpf fromfpl fromfpx fromfpxf fromfpxl fscanf fseek fseeko fseeko64 "
    "fsetpos fsetpos64 fsqrt fsqrtl fsub fsubl ftell ftello ftello64 ftrylockfile funlockfile fwide fwprintf fwrite "
    "fwrite_unlocked fwscanf gamma gammaf gammal gcvt getc getc_unlocked getchar getchar_unlocked getcpu getdate "
    "getdate_r getdelim getenv getline getloadavg getpayload getpayloadf getpayloadl getpt getsubopt getw getwc "
    "getwc_unlocked getwchar getwchar_unlocked gmtime gmtime_r grantpt hypot hypotf hypotl ilogb ilogbf ilogbl index "
    "initstate initstate_r isalnum isalnum_l isalpha isalpha_l isascii isblank isblank_l iscanonical iscntrl "
    "iscntrl_l isctype isdigit isdigit_l isgraph isgraph_l isinff isinfl islower islower_l isnanf isnanl isprint "
    "isprint_l ispunct ispunct_l issignaling isspace isspace_l isupper isupper_l iswalnum iswalnum_l iswalpha "
    "iswalpha_l iswblank iswblank_l iswcntrl iswcntrl_l iswctype iswctype_l iswdigit iswdigit_l iswgraph iswgraph_l "
    "iswlower iswlower_l iswprint iswprint_l iswpunct iswpunct_l iswspace iswspace_l iswupper iswupper_l iswxdigit "
    "iswxdigit_l isxdigit isxdigit_l itimerspec j0 j0f j0l j1 j1f j1l jn jnf jnl jrand48 jrand48_r l64a labs lcong48 "
    "lcong48_r lconv ldexp ldexpf ldexpl ldiv lgamma lgamma_r lgammaf lgammaf32_r lgammaf32x_r lgammaf64_r "
    "lgammaf64x_r lgammaf_r lgammal lgammal_r llabs lldiv llogb llogbf llogbl llrint llrintf llrintl llround "
    "llroundf llroundl localeconv localtime localtime_r log log10 log10f log10l log1p log1pf log1pl log2 log2f log2l "
    "logb logbf logbl logf logl lrand48 lrand48_r lrint lrintf lrintl lround lroundf lroundl malloc mblen mbrlen "
    "mbrtowc mbsinit mbsnrtowcs mbsrtowcs mbstowcs mbtowc memccpy memchr memcmp memcpy memfrob memmem memmove "
    "mempcpy memrchr memset mkdtemp mkostemp mkostemp64 mkostemps mkostemps64 mkstemp mkstemp64 mkstemps mkstemps64 "
    "mktemp mktime modf modff modfl mrand48 mrand48_r nan nanf nanl nanosleep nearbyint nearbyintf nearbyintl "
    "newlocale nextafter nextafterf nextafterl nextdown nextdownf nextdownl nexttoward nexttowardf nexttowardl "
    "nextup nextupf nextupl nrand48 nrand48_r obstack_printf obstack_vprintf on_exit open_memstream open_wmemstream "
    "pclose perror popen posix_memalign posix_openpt pow powf powl printf pselect pthread_atfork "
    "pthread_attr_destroy pthread_attr_getaffinity_np pthread_attr_getdetachstate pthread_attr_getguardsize "
    "pthread_attr_getinheritsched pthread_attr_getschedparam pthread_attr_getschedpolicy pthread_attr_getscope "
    "pthread_attr_getsigmask_np pthread_attr_getstack pthread_attr_getstackaddr pthread_attr_getstacksize "
    "pthread_attr_init pthread_attr_setaffinity_np pthread_attr_setdetachstate pthread_attr_setguardsize "
    "pthread_attr_setinheritsched pthread_attr_setschedparam pthread_attr_setschedpolicy pthread_attr_setscope "
    "pthread_attr_setsigmask_np pthread_attr_setstack pthread_attr_setstackaddr pthread_attr_setstacksize "
    "pthread_barrier_destroy pthread_barrier_init pthread_barrier_wait pthread_barrierattr_destroy "
    "pthread_barrierattr_getpshared pthread_barrierattr_init pthread_barrierattr_setpshared pthread_cancel "
    "pthread_clockjoin_np pthread_cond_broadcast pthread_cond_clockwait pthread_cond_destroy pthread_cond_init "
    "pthread_cond_signal pthread_cond_timedwait pthread_cond_wait pthread_condattr_destroy pthread_condattr_getclock "
    "pthread_condattr_getpshared pthread_condattr_init pthread_condattr_setclock pthread_condattr_setpshared "
    "pthread_create pthread_detach pthread_equal pthread_exit pthread_getaffinity_np pthread_getattr_default_np "
    "pthread_getattr_np pthread_getconcurrency pthread_getcpuclockid pthread_getname_np pthread_getschedparam "
    "pthread_getspecific pthread_join pthread_key_create pthread_key_delete pthread_mutex_clocklock "
    "pthread_mutex_consistent pthread_mutex_consistent_np pthread_mutex_destroy pthread_mutex_getprioceiling "
    "pthread_mutex_init pthread_mutex_lock pthread_mutex_setprioceiling pthread_mutex_timedlock "
    "pthread_mutex_trylock pthread_mutex_unlock pthread_mutexattr_destroy pthread_mutexattr_getprioceiling "
    "pthread_mutexattr_getprotocol pthread_mutexattr_getpshared pthread_mutexattr_getrobust "
    "pthread_mutexattr_getrobust_np pthread_mutexattr_gettype pthread_mutexattr_init "
    "pthread_mutexattr_setprioceiling pthread_mutexattr_setprotocol pthread_mutexattr_setpshared "
    "pthread_mutexattr_setrobust pthread_mutexattr_setrobust_np pthread_mutexattr_settype pthread_once "
    "pthread_rwlock_clockrdlock pthread_rwlock_clockwrlock pthread_rwlock_destroy pthread_rwlock_init "
    "pthread_rwlock_rdlock pthread_rwlock_timedrdlock pthread_rwlock_timedwrlock pthread_rwlock_tryrdlock "
    "pthread_rwlock_trywrlock pthread_rwlock_unlock pthread_rwlock_wrlock pthread_rwlockattr_destroy "
    "pthread_rwlockattr_getkind_np pthread_rwlockattr_getpshared pthread_rwlockattr_init "
    "pthread_rwlockattr_setkind_np pthread_rwlockattr_setpshared pthread_self pthread_setaffinity_np "
    "pthread_setattr_default_np pthread_setcancelstate pthread_setcanceltype pthread_setconcurrency "
    "pthread_setname_np pthread_setschedparam pthread_setschedprio pthread_setspecific pthread_spin_destroy "
    "pthread_spin_init pthread_spin_lock pthread_spin_trylock pthread_spin_unlock pthread_testcancel "
    "pthread_timedjoin_np pthread_tryjoin_np pthread_yield ptsname ptsname_r putc putc_unlocked putchar "
    "putchar_unlocked putenv puts putw putwc putwc_unlocked putwchar putwchar_unlocked qecvt qecvt_r qfcvt qfcvt_r "
    "qgcvt qsort qsort_r quick_exit rand rand_r random random_data random_r rawmemchr realloc reallocarray realpath "
    "remainder remainderf remainderl remove remquo remquof remquol rename renameat renameat2 rewind rindex rint "
    "rintf rintl round roundeven roundevenf roundevenl roundf roundl rpmatch scalb scalbf scalbl scalbln scalblnf "
    "scalblnl scalbn scalbnf scalbnl scanf sched_get_priority_max sched_get_priority_min sched_getaffinity "
    "sched_getcpu sched_getparam sched_getscheduler sched_param sched_rr_get_interval sched_setaffinity "
    "sched_setparam sched_setscheduler sched_yield secure_getenv seed48 seed48_r select setbuf setbuffer setenv "
    "setlinebuf setlocale setns setpayload setpayloadf setpayloadl setpayloadsig setpayloadsigf setpayloadsigl "
    "setstate setstate_r setvbuf sigabbrev_np sigdescr_np sigevent significand significandf significandl sin sincos "
    "sincosf sincosl sinf sinh sinhf sinhl sinl snprintf sprintf sqrt sqrtf sqrtl srand srand48 srand48_r srandom "
    "srandom_r sscanf stpcpy stpncpy strcasecmp strcasecmp_l strcasestr strcat strchr strchrnul strcmp strcoll "
    "strcoll_l strcpy strcspn strdup strerror strerror_l strerror_r strerrordesc_np strerrorname_np strfromd "
    "strfromf strfroml strfry strftime strftime_l strlen strncasecmp strncasecmp_l strncat strncmp strncpy strndup "
    "strnlen strpbrk strptime strptime_l strrchr strsep strsignal strspn strstr strtod strtod_l strtof strtof32_l "
    "strtof32x_l strtof64_l strtof64x_l strtof_l strtok strtok_r strtol strtol_l strtold strtold_l strtoll strtoll_l "
    "strtoq strtoul strtoul_l strtoull strtoull_l strtouq strverscmp strxfrm strxfrm_l swprintf swscanf system tan "
    "tanf tanh tanhf tanhl tanl tempnam tgamma tgammaf tgammal time timegm timelocal timer_create timer_delete "
    "timer_getoverrun timer_gettime timer_settime timespec timespec_get timespec_getres timeval timex tm tmpfile "
    "tmpfile64 tmpnam tmpnam_r toascii tolower tolower_l totalorder totalorderf totalorderl totalordermag "
    "totalordermagf totalordermagl toupper toupper_l towctrans towctrans_l towlower towlower_l towupper towupper_l "
    "trunc truncf truncl tzset ufromfp ufromfpf ufromfpl ufromfpx ufromfpxf ufromfpxl ungetc ungetwc unlockpt "
    "unsetenv unshare uselocale valloc vasprintf vdprintf vfprintf vfscanf vfwprintf vfwscanf vprintf vscanf "
    "vsnprintf vsprintf vsscanf vswprintf vswscanf vwprintf vwscanf wcpcpy wcpncpy wcrtomb wcscasecmp wcscasecmp_l "
    "wcscat wcschr wcschrnul wcscmp wcscoll wcscoll_l wcscpy wcscspn wcsdup wcsftime wcsftime_l wcslen wcsncasecmp "
    "wcsncasecmp_l wcsncat wcsncmp wcsncpy wcsnlen wcsnrtombs wcspbrk wcsrchr wcsrtombs wcsspn wcsstr wcstod "
    "wcstod_l wcstof wcstof32_l wcstof32x_l wcstof64_l wcstof64x_l wcstof_l wcstok wcstol wcstol_l wcstold wcstold_l "
    "wcstoll wcstoll_l wcstombs wcstoq wcstoul wcstoul_l wcstoull wcstoull_l wcstouq wcswcs wcswidth wcsxfrm "
    "wcsxfrm_l wctob wctomb wctrans wctrans_l wctype wctype_l wcwidth wmemchr wmemcmp wmemcpy wmemmove wmempcpy "
    "wmemset wprintf wscanf y0 y0f y0l y1 y1f y1l yn ynf ynl ";
static constexpr std::string_view typeSuffixes[] = {"f16", "f32", "f64", "f128", "f32x", "f64x", "f128x"};

static bool has(std::string_view words, std::string_view name) {
  return words.find(" " + std::string(name) + " ") != std::string_view::npos;
}

static bool isUpper(char c) { return c >= 'A' && c <= 'Z'; }

bool isCxxKeyword(std::string_view name) { return has(keywords, name); }

bool isHeaderMacro(std::string_view name) {
  auto begins = [&](std::string_view family) { return name.substr(0, family.size()) == family; };
  return has(macros, name) || std::any_of(std::begin(families), std::end(families), begins);
}

bool isGlobalOfC(std::string_view name) { return has(globals, name); }

bool isFunctionOfC(std::string_view name) {
  auto ends = [&](std::string_view suffix) {
    return name.size() > suffix.size() && name.substr(name.size() - suffix.size()) == suffix &&
           has(functions, name.substr(0, name.size() - suffix.size()));
  };
  return has(functions, name) || std::any_of(std::begin(typeSuffixes), std::end(typeSuffixes), ends);
}

bool isReservedInCxx(std::string_view name, bool isGlobal) {
  bool begins = name.size() > 1 && name[0] == '_' && (isGlobal || isUpper(name[1]));
  return begins || name.find("__") != std::string_view::npos;
}

} // namespace tegula
