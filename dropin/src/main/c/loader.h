/* loader.c: for those who know JNI. */
#ifndef VERBENA_LOADER_H
#define VERBENA_LOADER_H

#include <jni.h>

/*
 * The class of ours that is entered first, also where the program is one in Java that has not heard of
 * us; or NULL, with an exception.
 */
jclass verbena_entry(JNIEnv *env, int is_java_program);

#endif
