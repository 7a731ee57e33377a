/*
 * Finds our first class to enter. In the JVM of the shim it is on the class path. A Java program
 * has its own class path, which does not contain our classes: there, a class loader of our own
 * loads our jars and their dependencies.
 */
#include <stdlib.h>
#include <string.h>

#include "environment.h"
#include "loader.h"

#define ENTRY "dev.verbena.dropin.Attach"

static jclass load_by(JNIEnv *env, jobject loader)
{
	jclass class = (*env)->FindClass(env, "java/lang/ClassLoader");
	jmethodID load = (*env)->GetMethodID(env, class, "loadClass",
					     "(Ljava/lang/String;)Ljava/lang/Class;");
	jstring name = (*env)->NewStringUTF(env, ENTRY);
	return name ? (*env)->CallObjectMethod(env, loader, load, name) : NULL;
}

/* FindClass is not used, because in a Java program's thread it would use the caller's loader. */
static jobject standard_loader(JNIEnv *env, const char *getter)
{
	jclass class = (*env)->FindClass(env, "java/lang/ClassLoader");
	jmethodID get =
		(*env)->GetStaticMethodID(env, class, getter, "()Ljava/lang/ClassLoader;");
	return (*env)->CallStaticObjectMethod(env, class, get);
}

static jobject url_of(JNIEnv *env, const char *path)
{
	jclass file_class = (*env)->FindClass(env, "java/io/File");
	jclass uri_class = (*env)->FindClass(env, "java/net/URI");
	jmethodID file = (*env)->GetMethodID(env, file_class, "<init>", "(Ljava/lang/String;)V");
	jmethodID to_uri = (*env)->GetMethodID(env, file_class, "toURI", "()Ljava/net/URI;");
	jmethodID to_url = (*env)->GetMethodID(env, uri_class, "toURL", "()Ljava/net/URL;");
	jstring name = (*env)->NewStringUTF(env, path);
	jobject named = name ? (*env)->NewObject(env, file_class, file, name) : NULL;
	jobject uri = named ? (*env)->CallObjectMethod(env, named, to_uri) : NULL;
	return uri ? (*env)->CallObjectMethod(env, uri, to_url) : NULL;
}

/* Converts the list, which has no empty entries. */
static jobjectArray urls_of(JNIEnv *env, const char *list)
{
	jsize count = 1;
	for (const char *each = list; *each; each++)
		count += *each == ':';
	jclass class = (*env)->FindClass(env, "java/net/URL");
	jobjectArray urls = (*env)->NewObjectArray(env, count, class, NULL);
	char *copy = strdup(list), *rest = copy;
	for (jsize i = 0; urls && copy && i < count; i++) {
		jobject url = url_of(env, strsep(&rest, ":"));
		if (!url)
			break;
		(*env)->SetObjectArrayElement(env, urls, i, url);
		(*env)->DeleteLocalRef(env, url);
	}
	free(copy);
	return urls;
}

static jobject own_loader(JNIEnv *env, const char *class_path)
{
	jobjectArray urls = urls_of(env, class_path);
	if ((*env)->ExceptionCheck(env))
		return NULL;
	jobject parent = standard_loader(env, "getPlatformClassLoader");
	jclass class = (*env)->FindClass(env, "java/net/URLClassLoader");
	jmethodID make = (*env)->GetMethodID(env, class, "<init>",
					     "([Ljava/net/URL;Ljava/lang/ClassLoader;)V");
	return (*env)->NewObject(env, class, make, urls, parent);
}

jclass verbena_entry(JNIEnv *env, int is_java_program)
{
	jclass entry = load_by(env, standard_loader(env, "getSystemClassLoader"));
	const char *class_path = verbena_setting("VERBENA_CLASSPATH");
	if (!is_java_program || !(*env)->ExceptionCheck(env) || !class_path)
		return entry;
	(*env)->ExceptionClear(env);
	jobject loader = own_loader(env, class_path);
	return loader ? load_by(env, loader) : NULL;
}
